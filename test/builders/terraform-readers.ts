// How tfcmt, Atlantis and a plan commenter read the text of a plan: their patterns, and what they make of it.

/** What tfcmt finds in the output of a plan; throws where it would not understand it. */
export function readByTfcmt(text: string) {
  const fails = /^(?:[│|] )?Error: /m
  const passes = /^(?:Plan: \d|No changes.)/
  if (!fails.test(text) && !/^(?:Plan: \d|No changes.|Changes to Outputs:)/m.test(text)) throw new Error('cannot parse plan result')
  const lines = text.split('\n')
  const first = lines.find((line) => fails.test(line)) ?? lines.find((line) => passes.test(line) || line.startsWith('Changes to Outputs:')) ?? ''
  const from = lines.indexOf('Note: Objects have changed outside of Terraform')
  const to = lines.findIndex((line) => line.startsWith('Unless you have made equivalent changes to your configuration'))
  // It slices from one to the other, and panics without the other.
  if (from >= 0 && to < from) throw new Error('slice bounds out of range')
  const all = (pattern: RegExp): readonly string[] => lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])
  const changed = Math.max(lines.indexOf('Terraform will perform the following actions:'), lines.indexOf('Changes to Outputs:'))
  return {
    result: first.startsWith('Changes to Outputs:') ? 'Only Outputs will be changed.' : first,
    isError: fails.test(first),
    outside: from < 0 ? '' : lines.slice(from + 1, to + 1).join('\n'),
    hasChanges: changed >= 0,
    hasDestroy: /[1-9][0-9]* to destroy\./.test(first),
    created: all(/^ *# (.*) will be created$/),
    updated: all(/^ *# (.*) will be updated in-place$/),
    deleted: all(/^ *# (.*) will be destroyed$/),
    replaced: [...all(/^ *# (.*?)(?: is tainted, so)? must be replaced$/), ...all(/^ *# (.*?) will be replaced, as requested$/)],
  }
}

/** The numbers that Atlantis finds: import, add, change, destroy; undefined for no changes. Throws for neither. */
export function readByAtlantis(text: string): readonly number[] | undefined {
  const found = /Plan: (?:(\d+) to import, )?(\d+) to add, (\d+) to change, (\d+) to destroy(?:, (\d+) to forget)?\./.exec(text)
  if (found) return found.slice(1, 5).map((one) => Number(one ?? 0))
  if (/No changes. (?:Infrastructure is up-to-date|Your infrastructure matches the configuration)./.test(text)) return undefined
  throw new Error('there are no statistics')
}

/** The lines of a resource's block, by the rules of terraform-plan-comment; throws where it finds none. */
export function blockByCommenter(text: string, address: string): readonly string[] {
  const lines = text.split('\n')
  const header = lines.findIndex((line) => line.startsWith(`  # ${address}`))
  const begin = header < 0 ? -1 : lines.findIndex((line, at) => at >= header && /.*[+-~⇄] (?:resource|ephemeral)/.test(line))
  const end = begin < 0 ? -1 : lines.findIndex((line, at) => at >= begin && line === '    }')
  if (end < 0) throw new Error(`${address} cannot be found in the text`)
  return lines.slice(begin + 1, end).map((line) => line.slice(6))
}
