// Names that mean nothing: references of partial projects that the state does not hold either, and patterns that fit no resource.
import { matchesAddress } from '../../../base/address.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { nearest } from '../../../base/words/nearest.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import { listed } from '../../../project/findings/issues.ts'
import type { Project } from '../../../project/resolving/declared.ts'
import type { Options, Planned } from '../../model/planned-resource.ts'

/** With -f: what is referred to and stands neither in the files nor in the state. */
export function unknownReferences(selected: readonly Planned[], known: ReadonlySet<string>): readonly Diagnostic[] {
  return selected.flatMap(({ declared, leftOut }) => {
    if (!declared || leftOut) return []
    const place = declared.workspace && 'address' in declared.workspace ? [declared.workspace.address] : []
    const { replaceTriggeredBy, redeployTriggeredBy } = declared.lifecycle
    const written = [...declared.dependsOn, ...replaceTriggeredBy, ...redeployTriggeredBy].filter((pattern) => !fits(pattern, known))
    const missing = new Set([...declared.references, ...place, ...written].filter((address) => !known.has(address)))
    return [...missing].map((address) => {
      const near = nearest(address, known)
      const hint = near === undefined ? 'name the file that declares it as well, or apply that one first' : `did you mean ${near}?`
      const text = `${declared.address}: ${address} stands neither in these files nor in the state`
      return diagnostic('unknown_reference', text, { address: declared.address, position: declared.placeOf(address), hint })
    })
  })
}

function fits(pattern: string, addresses: Iterable<string>): boolean {
  for (const address of addresses) if (matchesAddress(pattern, address)) return true
  return false
}

interface Names {
  readonly known: ReadonlySet<string>
  readonly declared: readonly string[]
  readonly removed: Project['removed']
}

/** --target, --exclude and --replace patterns that fit nothing; only what is declared can be replaced. What iac.yaml says is removed may be gone by an earlier run of the same command. */
export function unmatchedPatterns(options: Options, { known, declared, removed }: Names): readonly Diagnostic[] {
  const all = [...known]
  const over = removed.map((one) => one.address)
  return [
    ...unmatched('--target', options.targets, all, over),
    ...unmatched('--exclude', options.excludes, all, over),
    ...unmatched('--replace', options.replace, declared, []),
  ]
}

function unmatched(flag: string, patterns: readonly string[], addresses: readonly string[], over: readonly string[]): readonly Diagnostic[] {
  return patterns.flatMap((pattern) => {
    if (fits(pattern, addresses) || over.some((one) => matchesAddress(pattern, one) || matchesAddress(one, pattern))) return []
    const near = nearest(pattern, addresses)
    return [
      diagnostic('usage', `${flag} ${pattern} fits no resource`, {
        hint: near === undefined ? `resources: ${listed(addresses)}` : `did you mean ${shellWord(near)}?`,
      }),
    ]
  })
}
