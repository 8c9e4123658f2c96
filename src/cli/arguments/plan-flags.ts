// The flags that plan, apply and destroy share, and what the engine makes of them.
import { isAddressPattern } from '../../base/address.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Options } from '../../engine/model/planned-resource.ts'
import { addressHint } from './address-hint.ts'
import type { Flags, Given } from './flags.ts'
import { usageFailure } from './usage.ts'

export const selectionFlags = {
  target: { type: 'list', value: 'ADDRESS', about: 'only this, with what it needs; * matches within a name' },
  exclude: { type: 'list', value: 'ADDRESS', about: 'all but this and what needs it' },
  replace: { type: 'list', value: 'ADDRESS', about: 'replace this even if nothing changed' },
  'refresh-only': { type: 'switch', about: 'only record what is live' },
} as const satisfies Flags

/** The same where everything selected goes: what needs it goes along, and nothing is replaced or only read. */
export const destroySelectionFlags = {
  target: { type: 'list', value: 'ADDRESS', about: 'only this, with what needs it; * matches within a name' },
  exclude: { type: 'list', value: 'ADDRESS', about: 'all but this and what it needs' },
} as const satisfies Flags

export const policyFlag = {
  policy: { type: 'list', value: 'FILE', about: 'hold the plan against the policies of this file, too' },
} as const satisfies Flags

export const policyFlags = {
  ...policyFlag,
  override: { type: 'list', value: 'NAME', about: 'let this policy pass; with --reason' },
  reason: { type: 'text', value: 'TEXT', about: 'why policies are overridden: kept in the history of the state' },
} as const satisfies Flags

export const ciFlag = {
  'no-ci': { type: 'switch', about: 'write nothing for GitHub Actions, although it runs this' },
} as const satisfies Flags

/** Whether GitHub Actions, or what speaks like it, runs this, and is to be told. */
export function isForActions(environment: Readonly<Record<string, string | undefined>>, given: Given): boolean {
  return environment['GITHUB_ACTIONS'] === 'true' && !given.switch('no-ci')
}

export const compatFlag = {
  type: 'choice',
  value: 'TOOL',
  choices: ['terraform'],
  about: 'print the words that readers of another tool look for',
} as const

export const maxDestroyFlag = { type: 'integer', value: 'N', least: 0, most: 1_000_000, about: 'most deletes and replacements' } as const

/** The selection as the engine takes it; throws a Failure `usage` for what is no address. */
export function selectionOf(given: Given, destroy: boolean): Options {
  const refreshOnly = given.switch('refresh-only')
  const replace = patternsOf(given, 'replace')
  if (refreshOnly && (destroy || replace.length > 0)) throw usageFailure(`--refresh-only excludes ${destroy ? '--destroy' : '--replace'}`)
  if (destroy && replace.length > 0) throw usageFailure('--destroy excludes --replace')
  return { destroy, refreshOnly, targets: patternsOf(given, 'target'), excludes: patternsOf(given, 'exclude'), replace }
}

/** The same of a destroy. */
export function destroySelectionOf(given: Given): Options {
  return { destroy: true, refreshOnly: false, targets: patternsOf(given, 'target'), excludes: patternsOf(given, 'exclude'), replace: [] }
}

function patternsOf(given: Given, name: 'target' | 'exclude' | 'replace'): readonly string[] {
  const wrong = given.list(name).find((one) => !isAddressPattern(one))
  if (wrong !== undefined)
    throw failure('usage', `--${name} ${wrong === '' ? '""' : wrong} is no address`, {
      hint: addressHint(wrong) ?? 'write Kind/name, Kind/name["key"] or Kind/prefix-*',
    })
  return given.list(name)
}
