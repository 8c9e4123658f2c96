// The sensitive values that a saved plan needs, resolved again from variables and manifests and held against its digests.
import { failure } from '../diagnostic.ts'
import type { JsonValue } from '../json.ts'
import type { Attribute, Project, Scope } from '../project/declared.ts'
import { readHidden } from '../project/unresolved.ts'
import type { ResourceRecord } from '../state/record.ts'
import { tokenText } from '../token.ts'
import { isAwaited, withDigests } from './desired.ts'
import type { Digest } from './live.ts'
import type { Change, Plan } from './plan-data.ts'
import { recordedAttribute } from './scope.ts'

type Secrets = ReadonlyMap<string, JsonValue>

const unknown: Attribute = Object.freeze({ is: 'unknown', sensitive: false })

/** A plan, and what there is beside it now; `shown` are sensitive values that live shows. */
interface Saved {
  readonly plan: Plan
  readonly project: Project
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly shown: Secrets
}

/** Sensitive values and the texts that give unknown ones, by the tokens of their digests; throws Failure 3 where one is missing, 6 where it is another. */
export function secretsFor({ plan, project, records, shown }: Saved, digest: Digest): Secrets {
  const secrets = secretsOf(project, { attribute: () => unknown, lookup: () => ({ unknown: true }), digest })
  for (const [token, value] of shown) secrets.set(token, value)
  // What is made of other resources shows with what the plan says of them, and of what those are made in turn.
  for (let before = -1; before < secrets.size && firstMissing(plan, secrets);) {
    before = secrets.size
    const scope: Scope = { attribute: attributesOf(plan, records, secrets), lookup: () => ({ unknown: true }), digest }
    for (const [token, value] of secretsOf(project, scope)) secrets.set(token, value)
  }
  const missing = firstMissing(plan, secrets)
  if (!missing) return secrets
  const { address } = missing.change
  const hint = 'give the same variables as when the plan was made'
  if (secrets.size === 0) throw failure('missing_variable', `${address}: the plan needs the sensitive value of ${missing.pointer}`, { address, hint })
  throw failure('plan_stale', `${address}: the sensitive value of ${missing.pointer} is not the one the plan was made with`, { address, hint })
}

/** Every sensitive value that manifests and variables give in a scope. */
function secretsOf(project: Project, scope: Scope): Map<string, JsonValue> {
  return new Map(project.resources.flatMap((declared) => [...declared.resolve(scope).secrets]))
}

function firstMissing(plan: Plan, secrets: Secrets): { readonly change: Change; readonly pointer: string } | undefined {
  const isKnown = (digest: string) => secrets.has(tokenText({ is: 'digest', digest }))
  for (const change of plan.changes) {
    if (change.action === 'no-op' || change.action === 'delete') continue
    for (const [pointer, digest] of Object.entries(change.digests)) if (!digest.startsWith('once:') && !isKnown(digest)) return { change, pointer }
    for (const [pointer, source] of Object.entries(change.unresolved)) {
      const hidden = readHidden(source)
      if (hidden && isAwaited(change, pointer) && !isKnown(hidden.digest)) return { change, pointer }
    }
  }
  return undefined
}

/** What the plan saw of resources: what it wants of them, and what is recorded of those that it does not make. */
function attributesOf(plan: Plan, records: ReadonlyMap<string, ResourceRecord>, secrets: Secrets): Scope['attribute'] {
  const changes = new Map(plan.changes.filter((one) => !one.deposed).map((one) => [one.address, one]))
  return (address, path) => {
    const change = changes.get(address)
    const record = records.get(change?.previous_address ?? address)
    const made = change?.action === 'create' || change?.action === 'replace'
    const name = String(path[0])
    const wanted = change?.after ? withDigests(change) : {}
    if (change?.after_unknown.some((one) => one === `/${name}` || one.startsWith(`/${name}/`)) === true) return unknown
    if (Object.hasOwn(wanted, name)) return recordedAttribute({ id: '', spec: wanted, outputs: {} }, path, secrets)
    return record && !made ? recordedAttribute(record, path, secrets) : unknown
  }
}
