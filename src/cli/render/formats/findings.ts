// What a report has found, thing by thing, each by a rule with a stable name: for readers that list findings.
import { createHash } from 'node:crypto'
import { compareAddresses } from '../../../base/address.ts'
import type { Severity } from '../../../base/catalogue.ts'
import { catalogue } from '../../../base/catalogue.ts'
import type { DiagnosticDocument } from '../../../base/diagnostic.ts'
import { canonicalJson } from '../../../base/json.ts'
import type { Action, Change } from '../../../engine/model/plan-data.ts'
import { headline } from '../plan/plan-block.ts'
import { safeLine, safeText } from '../text/sanitise.ts'
import type { Place, Report } from './report.ts'

/** One finding; its texts are safe to print, and hold no value of a field. */
export interface Finding {
  /** A diagnostic's code, or a name of `changeRules` or `driftRules`. */
  readonly rule: string
  readonly severity: Severity
  /** One line. */
  readonly summary: string
  /** More of it, over several lines; '' where there is none. */
  readonly detail: string
  readonly address: string | null
  readonly place: Place | null
}

/** What a plan does with a resource, by rule. */
const changeRules = {
  change_create: 'The plan creates the resource.',
  change_update: 'The plan changes the resource in place.',
  change_replace: 'The plan makes the resource anew, and destroys the old object.',
  change_delete: 'The plan destroys the resource.',
  change_import: 'The plan takes over an existing object.',
  change_forget: 'The plan forgets the resource: the object stays, and nothing manages it any more.',
} as const satisfies Readonly<Record<`change_${Exclude<Action, 'no-op'>}`, string>>

/** What was found out there, by rule. */
const driftRules = {
  drift_changed: 'The object was changed outside of iac since the last apply.',
  drift_missing: 'The object was deleted outside of iac.',
  drift_unmanaged: 'No manifest manages the object.',
} as const

const ruleTexts: Readonly<Record<string, string>> = { ...changeRules, ...driftRules }

/** What a rule says in general. */
export function ruleText(rule: string): string {
  const codes: Readonly<Record<string, { readonly explanation: string }>> = catalogue
  return ruleTexts[rule] ?? codes[rule]?.explanation ?? rule
}

/** Everything that a report has found, the most severe first. */
export function findingsOf(report: Report): readonly Finding[] {
  const all = [...report.diagnostics.map((one) => ofDiagnostic(report, one)), ...driftFindings(report), ...changeFindings(report)]
  return all.toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
}

/** What drifted: of a plan as of a drift, and there what nobody manages, too. */
export function driftFindings(report: Report): readonly Finding[] {
  const { drift, plan } = report
  const changed = (plan?.drift ?? drift?.drift ?? []).map((change) => ofDrift(report, change))
  const unmanaged = (drift?.unmanaged ?? []).map(({ kind, id, name }) => {
    const called = name === null ? id : `${name} (${id})`
    return finding('drift_unmanaged', 'note', safeLine(`${kind} ${called} is not managed by any manifest`))
  })
  return [...changed, ...unmanaged]
}

/** A digest that stays while the finding does, wherever it moves in its file; findings that say the same are counted. */
export function fingerprints(findings: readonly Finding[]): readonly string[] {
  const seen = new Map<string, number>()
  return findings.map(({ rule, address, place, summary }) => {
    const key = canonicalJson([rule, address ?? place?.file ?? '', summary])
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return createHash('sha256')
      .update(count === 1 ? key : `${key} ${count}`)
      .digest('hex')
      .slice(0, 32)
  })
}

/** Where a finding is told that has no place of its own: the project file's first line. */
export function placeOr({ placeOf }: Pick<Report, 'placeOf'>, place: Place | null): Place {
  return place ?? placeOf({ filename: 'iac.yaml', start: { line: 1, column: 1 } }) ?? { file: 'iac.yaml', line: 1, column: 1 }
}

function finding(rule: string, severity: Severity, summary: string, rest: Partial<Finding> = {}): Finding {
  return { rule, severity, summary, detail: '', address: null, place: null, ...rest }
}

function ofDiagnostic({ placeOf, declaredAt }: Report, { code, severity, summary, detail, address, range, hint }: DiagnosticDocument): Finding {
  const about = address !== null && !summary.includes(address) ? `${address}: ` : ''
  const more = [detail, hint === null ? '' : `hint: ${hint}`].filter((one) => one !== '').join('\n')
  const place = placeOf(range) ?? (address === null ? null : declaredAt(address))
  return finding(code, severity, safeLine(`${about}${summary}`), { detail: safeText(more), address, place })
}

function ofDrift({ declaredAt }: Report, change: Change): Finding {
  const { address, action, patch } = change
  const at = { address, place: declaredAt(address) }
  if (action === 'delete') return finding('drift_missing', 'warning', safeLine(`${address} was deleted outside of iac`), at)
  const paths = [...new Set(patch.map((one) => one.path))]
  const fields = paths.length === 0 ? '' : `: ${paths.join(', ')}`
  return finding('drift_changed', 'warning', safeLine(`${address} was changed outside of iac${fields}`), at)
}

function changeFindings({ subject, plan, declaredAt, replaceCostsOf }: Report): readonly Finding[] {
  if (subject !== 'plan') return []
  const changes = (plan?.changes ?? []).filter((one) => one.action !== 'no-op')
  return changes
    .toSorted((a, b) => compareAddresses(a.address, b.address))
    .map((change) => {
      const { address, action, disruption } = change
      const endangers = action === 'delete' || action === 'replace' || disruption !== 'none'
      return finding(`change_${action}`, endangers ? 'warning' : 'note', safeLine(headline(change, { replaceCostsOf })), {
        address,
        place: declaredAt(address),
      })
    })
}

function rankOf(severity: Severity): number {
  return { error: 0, warning: 1, note: 2 }[severity]
}
