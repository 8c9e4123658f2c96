// A plan as Terraform's plan JSON (format_version 1.2), for policies and comments that are written for it.
import { parseAddress } from '../../../base/address.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject, stringifyJson } from '../../../base/json.ts'
import { pathOf } from '../../../base/pointer.ts'
import type { Change, Plan } from '../../../engine/model/plan-data.ts'
import { isMarker } from '../../../engine/model/plan-data.ts'
import { inOrder } from '../plan/plan-text.ts'
import { withHidden } from '../plan/planned-values.ts'
import { safeJson } from '../text/sanitise.ts'
import { SENSITIVE_TEXT, unknownMark } from '../text/value-text.ts'
import type { Renderer, Report } from './report.ts'
import { sensitiveTree, shownValue, unknownTree } from './value-trees.ts'

/** One object. In the place of a sensitive value stands a text, and `before_sensitive` or `after_sensitive` marks it. */
export const terraformJson: Renderer = (report) => {
  const { plan } = report
  if (!plan) throw new Error('there is no plan to show')
  const errored = plan.diagnostics.some((one) => one.severity === 'error')
  const changes = inOrder(plan.changes)
  const outputs = outputNames(report)
  const document = {
    format_version: '1.2',
    terraform_version: report.toolVersion,
    variables: Object.fromEntries(Object.entries(plan.variables).map(([name, value]) => [name, { value }])),
    planned_values: { outputs: plannedOutputs(plan), root_module: { resources: changes.flatMap((one) => stands(one) ?? []) } },
    resource_drift: inOrder(plan.drift ?? []).map(resourceChange),
    resource_changes: changes.map(resourceChange),
    output_changes: Object.fromEntries(outputs.map((name) => [name, outputChange(report, plan, name)])),
    prior_state: {
      format_version: '1.0',
      terraform_version: report.toolVersion,
      values: { outputs: {}, root_module: { resources: changes.flatMap((one) => stood(one) ?? []) } },
    },
    configuration: { root_module: {} },
    checks: [],
    timestamp: report.createdAt,
    applyable: (report.differs || report.plan?.lifted !== undefined) && !errored,
    complete: !errored,
    errored,
  }
  return `${safeJson(stringifyJson(document, 2))}\n`
}

function resourceChange(change: Change) {
  const { address, action, before, id, previous_address: from, deposed } = change
  const { after, unknown: open } = withHidden(change.after, change)
  const made = action === 'create' || action === 'replace'
  const known = withId(after, made ? null : id)
  const unknown = after === null ? [] : [...open, ...(made ? ['/id'] : [])]
  const reason = reasonOf(change)
  return {
    ...identityOf(address),
    ...(from === null ? {} : { previous_address: from }),
    ...(deposed ? { deposed: id ?? '' } : {}),
    change: {
      actions: actionsOf(change),
      before: valuesOf(withId(before, id)),
      after: valuesOf(known),
      after_unknown: unknownTree(known ?? {}, unknown.map(pathOf)),
      before_sensitive: before === null ? false : sensitiveTree(before),
      after_sensitive: after === null ? false : sensitiveTree(after),
      ...(change.replace_paths.length === 0 ? {} : { replace_paths: change.replace_paths.map((one) => typedPath(one, before ?? after ?? {})) }),
      ...(action === 'import' && id !== null ? { importing: { id } } : {}),
    },
    ...(reason === undefined ? {} : { action_reason: reason }),
  }
}

function identityOf(address: string) {
  const { kind = '', name = address, key } = parseAddress(address) ?? {}
  return { address, mode: 'managed', type: kind, name, ...(key === undefined ? {} : { index: key }), provider_name: 'iac' }
}

/** The tuples that readers know; they allow no other. */
function actionsOf({ action, create_before_destroy: createFirst, steps }: Change): readonly string[] {
  if (action === 'replace') return createFirst ? ['create', 'delete'] : ['delete', 'create']
  if (action === 'import') return [steps.length > 0 ? 'update' : 'no-op']
  return [action]
}

function reasonOf({ action, reason, address }: Change): string | undefined {
  if (action === 'delete' && reason === 'removed')
    return parseAddress(address)?.key === undefined ? 'delete_because_no_resource_config' : 'delete_because_each_key'
  if (action !== 'replace') return undefined
  if (reason === 'requested') return 'replace_by_request'
  if (reason === 'trigger') return 'replace_by_triggers'
  if (reason === 'failed') return 'replace_because_tainted'
  return reason === 'expiring' || reason === 'secret_lost' ? undefined : 'replace_because_cannot_update'
}

/** The resource as it was before the plan; undefined where it was not. */
function stood(change: Change) {
  return change.before === null || change.deposed ? undefined : resourceOf(change, withId(change.before, change.id))
}

/** The resource as it is after the plan; undefined where it goes. */
function stands(change: Change) {
  const { action, before, id, deposed } = change
  const { after } = withHidden(change.after, change)
  const values = action === 'no-op' ? (after ?? before) : after
  if (values === null || action === 'delete' || action === 'forget' || deposed) return undefined
  return resourceOf(change, withId(values, action === 'replace' ? null : id))
}

function resourceOf({ address }: Change, values: JsonObject | null) {
  return { ...identityOf(address), schema_version: 0, values: valuesOf(values), sensitive_values: sensitiveTree(values ?? {}) }
}

function withId(values: JsonObject | null, id: string | null): JsonObject | null {
  return values === null || id === null ? values : { id, ...values }
}

function valuesOf(values: JsonObject | null): JsonValue {
  return values === null ? null : shownValue(values)
}

/** A pointer as names and places in lists. */
function typedPath(pointer: string, values: JsonObject): readonly (string | number)[] {
  let at: JsonValue | undefined = values
  return pathOf(pointer).map((part) => {
    const inList: boolean = at !== undefined && isList(at)
    at = at !== undefined && isList(at) ? at[Number(part)] : at !== undefined && isObject(at) ? at[part] : undefined
    return inList && /^\d+$/.test(part) ? Number(part) : part
  })
}

function plannedOutputs({ outputs }: Plan) {
  const shown = Object.entries(outputs).map(([name, one]) => {
    if ('expression' in one) return [name, { sensitive: false }]
    return [name, { sensitive: one.sensitive, value: one.sensitive ? SENSITIVE_TEXT : shownValue(one.value) }]
  })
  return Object.fromEntries(shown)
}

function outputNames({ plan, outputs }: Report): readonly string[] {
  return [...new Set([...Object.keys(plan?.outputs ?? {}), ...Object.keys(outputs.before), ...Object.keys(outputs.after)])].toSorted()
}

function outputChange({ outputs }: Report, plan: Plan, name: string) {
  const differs = Object.hasOwn(outputs.before, name) || Object.hasOwn(outputs.after, name)
  const planned = plan.outputs[name]
  const now = planned === undefined ? undefined : 'expression' in planned ? unknownMark : planned.sensitive ? { $sensitive: true } : planned.value
  const [before, after] = differs ? [outputs.before[name], outputs.after[name]] : [now, now]
  const action = !differs ? 'no-op' : before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
  return {
    actions: [action],
    before: outputValue(before),
    after: outputValue(after),
    after_unknown: after === unknownMark,
    before_sensitive: isMarker(before),
    after_sensitive: isMarker(after),
  }
}

function outputValue(value: JsonValue | undefined): JsonValue {
  return value === undefined || value === unknownMark ? null : shownValue(value)
}
