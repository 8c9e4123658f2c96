// What a run tells GitHub Actions by itself: outputs of the step, its summary, annotations, and masks of secrets.
import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import type { ExitCode } from '../../base/catalogue.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Given } from '../arguments/flags.ts'
import { isForActions } from '../arguments/plan-flags.ts'
import type { Context } from '../context/context.ts'
import { planNumbers } from '../render/formats/plan-numbers.ts'
import type { Report } from '../render/formats/report.ts'
import { formats } from './formats.ts'

/** A step takes no more of a summary. */
const MOST_BYTES = 1_000_000

/** Has the runner hide every secret of this run in its log, each line of one by itself, before anything is printed. */
export function maskSecrets(context: Context, given: Given, { variables }: Pick<Project, 'variables'>): void {
  if (!isForActions(context.surroundings.environment, given)) return
  const { token, planKey } = context.surroundings
  const sensitive = Object.values(variables).flatMap((one) => (one.sensitive ? textsIn(one.value) : []))
  const lines = [token ?? '', planKey ?? '', ...secretVariables(context), ...sensitive]
    .flatMap((text) => text.split(/[\r\n]+/))
    .filter((line) => line.trim() !== '')
  // A runner would hide every `1` and every `no` otherwise.
  const worth = [...new Set(lines)].filter((line) => line.length >= 4)
  command(context, worth.map((line) => `::add-mask::${line.replaceAll('%', '%25')}\n`).join(''))
}

/** What the environment holds of credentials beside the two that it no longer holds. */
function secretVariables({ surroundings }: Context): readonly string[] {
  const { environment } = surroundings
  const named = ['IAC_STATE_URL', 'TF_HTTP_PASSWORD', 'PGPASSWORD', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']
  // A project names its keys itself; those of a rotation are mostly called alike.
  const keys = Object.keys(environment).filter((name) => name.startsWith('IAC_STATE_KEY'))
  return [...keys, ...named].flatMap((name) => environment[name] ?? [])
}

/** Every text in a value, however deep. */
function textsIn(value: JsonValue): readonly string[] {
  if (isList(value)) return value.flatMap(textsIn)
  if (isObject(value)) return Object.values(value).flatMap(textsIn)
  return value === null || typeof value === 'boolean' ? [] : [String(value)]
}

/** Writes what a step leaves behind, its annotations unless they are shown already; what cannot be written is a warning. */
export async function tellActions(context: Context, given: Given, report: Report, exitCode: ExitCode, isAnnotated = false): Promise<void> {
  if (!isForActions(context.surroundings.environment, given)) return
  const { environment } = context.surroundings
  const [annotations, summary] = await Promise.all(['github', 'markdown'].map(async (name) => (await formats.get(name)?.load())?.(report) ?? ''))
  if (!isAnnotated) command(context, annotations ?? '')
  append(context, environment['GITHUB_OUTPUT'], outputsText({ ...planNumbers(report), exitcode: String(exitCode) }))
  const text = `${summary}\n`
  if (Buffer.byteLength(text) <= MOST_BYTES) append(context, environment['GITHUB_STEP_SUMMARY'], text)
}

/** `name=value` lines; a value that has several stands between delimiters that nobody can guess. */
function outputsText(outputs: Readonly<Record<string, string | null>>): string {
  return Object.entries(outputs)
    .flatMap(([name, value]) => {
      if (value === null) return []
      if (!/[\r\n]/.test(value)) return [`${name}=${value}\n`]
      const end = `END_${randomBytes(16).toString('hex')}`
      return [`${name}<<${end}\n${value}\n${end}\n`]
    })
    .join('')
}

function append({ print }: Context, file: string | undefined, text: string): void {
  if (file === undefined || file === '' || text === '') return
  try {
    appendFileSync(file, text)
  } catch (error) {
    const detail = error instanceof Error ? error.message : undefined
    print.diagnostics([diagnostic('advice', 'what this step should leave for GitHub Actions could not be written', { detail })])
  }
}

/** Standard output may go into a file or another program, which would take the secrets along; the runner reads both. */
function command({ surroundings }: Context, text: string): void {
  if (text !== '') surroundings.stderr.commands(text)
}
