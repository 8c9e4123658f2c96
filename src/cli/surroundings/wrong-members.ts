// What is wrong with what somebody typed, in words: a call's members by the names that people know, in place of its path.
import type * as z from 'zod'

type Issue = z.core.$ZodIssue

/** A sentence for each issue, such as "the name must have at least 3 characters"; none quotes a value. Undefined where one of them is no mistake in typing. */
export function wrongMembers(issues: readonly Issue[]): readonly string[] | undefined {
  const told = issues.flatMap(meantIssues).map(sentence)
  const words = told.flatMap((one) => one ?? [])
  return words.length === 0 || words.length < told.length ? undefined : words
}

/** Of a body of two forms, what is wrong with the one whose members were given. */
function meantIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [meant, other] = issue.errors.filter((branch) => !branch.some(({ code }) => code === 'unrecognized_keys'))
  return meant && other === undefined ? meant : [issue]
}

function sentence(issue: Issue): string | undefined {
  const [member, below] = issue.path
  const rule = typeof member === 'string' && below === undefined ? ruleOf(issue) : undefined
  return rule === undefined ? undefined : `the ${String(member).replaceAll('_', ' ')} ${rule}`
}

function ruleOf(issue: Issue): string | undefined {
  if (issue.code === 'invalid_format') return issue.format === 'email' ? 'must be an email address' : undefined
  if ((issue.code !== 'too_small' && issue.code !== 'too_big') || issue.origin !== 'string') return undefined
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} characters`
  return issue.minimum === 1 ? 'must not be empty' : `must have at least ${issue.minimum} characters`
}
