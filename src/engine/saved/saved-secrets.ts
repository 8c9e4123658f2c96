// The sensitive values that a saved plan needs, resolved again from variables and manifests and held against its digests.
import type { Diagnostic, Failure } from '../../base/diagnostic.ts'
import { diagnostic, failure } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import { readToken, tokenText } from '../../base/token.ts'
import type { Attribute, Declared, Project, Scope } from '../../project/resolving/declared.ts'
import { readHidden } from '../../project/resolving/unresolved.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { isAwaited, withDigests } from '../model/diff/desired.ts'
import type { Trusts } from '../model/diff/desired.ts'
import type { Digest } from '../model/live.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import type { Planned } from '../model/planned-resource.ts'
import { isHidden, recordedAttribute } from '../plan/scope.ts'

type Secrets = ReadonlyMap<string, JsonValue>

const unknown: Attribute = Object.freeze({ is: 'unknown', sensitive: false })

/** A plan, and what there is beside it now; `shown` are sensitive values that live shows. */
export interface Saved {
  readonly plan: Plan
  readonly project: Project
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly shown: Secrets
}

/** What a plan that is made now resolves the manifests to: by look-ups and live outputs, too. */
export interface ResolvedNow {
  readonly planned: readonly Pick<Planned, 'address' | 'resolved'>[]
  readonly secrets: Secrets
}

/** What is sensitive in a saved plan, and where it may stand. */
export interface SavedSecrets extends Places {
  /** Sensitive values and the texts that give unknown ones, by the tokens of their digests. */
  readonly secrets: Secrets
}

/**
 * Nearly always state and manifests alone tell all of it; else the service is read as for a plan (`resolveNow`), which reads far more. Throws Failure 3
 * where a sensitive value is missing, 6 where it is another.
 */
export async function resolveSecrets(
  saved: Saved,
  digest: Digest,
  seen: ReadonlyMap<Change, JsonObject>,
  resolveNow: () => Promise<ResolvedNow>,
): Promise<SavedSecrets> {
  const own = secretsFor(saved, digest)
  const places = firstMissing(saved, own) ? undefined : placesOf(saved, own, digest, seen, [])
  if (places?.problems.length === 0) return { ...places, secrets: own }
  const { planned, secrets: more } = await resolveNow()
  const secrets = new Map([...more, ...own])
  const missing = firstMissing(saved, secrets)
  if (missing) throw missingSecret(missing, secrets)
  return { ...placesOf(saved, secrets, digest, seen, planned), secrets }
}

function secretsFor(saved: Saved, digest: Digest): Secrets {
  const { plan, project, records, shown } = saved
  const secrets = secretsOf(project, { attribute: () => unknown, lookup: () => ({ unknown: true }), digest })
  for (const [token, value] of shown) secrets.set(token, value)
  // What is made of other resources shows with what the plan says of them, and of what those are made in turn.
  for (let before = -1; before < secrets.size && firstMissing(saved, secrets);) {
    before = secrets.size
    const scope: Scope = { attribute: attributesOf(plan, records, secrets), lookup: () => ({ unknown: true }), digest }
    for (const [token, value] of secretsOf(project, scope)) secrets.set(token, value)
  }
  return secrets
}

function missingSecret({ change: { address }, pointer }: Missing, secrets: Secrets): Failure {
  const hint = 'give the same variables as when the plan was made'
  if (secrets.size === 0) return failure('missing_variable', `${address}: the plan needs the sensitive value of ${pointer}`, { address, hint })
  return failure('plan_stale', `${address}: the sensitive value of ${pointer} is not the one the plan was made with`, { address, hint })
}

/** What manifests say of the places in which a plan has something sensitive, or a text that may give it. */
interface Places {
  readonly trusts: Trusts
  readonly problems: readonly Diagnostic[]
}

/** Sensitive values stand only where a manifest, the record or the live object has them: a plan that was altered could send them anywhere else. */
function placesOf(
  { plan, project, records }: Saved,
  secrets: Secrets,
  digest: Digest,
  seen: ReadonlyMap<Change, JsonObject>,
  planned: ResolvedNow['planned'],
): Places {
  const scopes: readonly Scope[] = [
    { attribute: () => unknown, lookup: () => ({ unknown: true }), digest },
    { attribute: attributesOf(plan, records, secrets), lookup: () => ({ unknown: true }), digest },
  ]
  const declared = new Map(project.resources.map((one) => [one.address, one]))
  // An old half has the address of what replaces it, and no manifest.
  const now = new Map(planned.flatMap((one) => (one.resolved ? [[one.address, one.resolved] as const] : [])))
  const texts = new Set<string>()
  const problems = plan.changes.flatMap((change): Diagnostic[] => {
    if (change.action === 'no-op' || Object.keys({ ...change.digests, ...change.unresolved }).length === 0) return []
    const own = declared.get(change.address)
    const resolved = own ? [...scopes.map((scope) => own.resolve(scope)), now.get(change.address) ?? []].flat() : []
    for (const one of resolved) for (const [pointer, source] of Object.entries(one.unresolved)) texts.add(`${change.address} ${pointer} ${source}`)
    const specs = [...resolved.map((one) => one.spec), records.get(change.previous_address ?? change.address)?.spec ?? {}, seen.get(change) ?? {}]
    const wanted = withDigests(change)
    const strange = Object.keys(wanted).find((field) => {
      const known = new Set(specs.flatMap((spec) => tokensIn(spec[field] ?? null, digest)))
      return tokensIn(wanted[field] ?? null).some((token) => !known.has(token) && !comesFrom(token, own))
    })
    const hidden = Object.entries(change.unresolved).find(
      ([pointer, source]) => readHidden(source) && isAwaited(change, pointer) && !texts.has(`${change.address} ${pointer} ${source}`),
    )
    const place = strange === undefined ? hidden?.[0] : `/${strange}`
    return place === undefined ? [] : [misplaced(change.address, place)]
  })
  const textAt = new Map(
    plan.changes.flatMap(({ address, unresolved }) => Object.entries(unresolved).map(([pointer, source]) => [`${address} ${pointer}`, source] as const)),
  )
  return { problems, trusts: (address, pointer) => texts.has(`${address} ${pointer} ${textAt.get(`${address} ${pointer}`)}`) }
}

/** A value known once comes from a resource that the manifest names. */
function comesFrom(text: string, own: Declared | undefined): boolean {
  const token = readToken(text)
  return token?.is === 'once' && own?.references.includes(token.address) === true
}

/** The tokens in a value; with a digest also those of its plain members, of which a live object shows what the plan hides. */
function tokensIn(value: JsonValue, digest?: Digest): readonly string[] {
  if (isList(value)) return value.flatMap((one) => tokensIn(one, digest))
  if (isObject(value)) return Object.values(value).flatMap((one) => tokensIn(one, digest))
  if (readToken(value)) return [String(value)]
  return digest && value !== null ? [tokenText({ is: 'digest', digest: digest(value) })] : []
}

function misplaced(address: string, pointer: string): Diagnostic {
  const text = `${address}: no manifest here has the sensitive value of ${pointer} at this place`
  return diagnostic('plan_stale', text, { address, hint: 'plan again, or carry the plan out with the manifests that it was made from' })
}

/** Every sensitive value that manifests and variables give in a scope. */
function secretsOf(project: Project, scope: Scope): Map<string, JsonValue> {
  return new Map(project.resources.flatMap((declared) => [...declared.resolve(scope).secrets]))
}

interface Missing {
  readonly change: Change
  readonly pointer: string
}

function firstMissing({ plan, project, records }: Saved, secrets: Secrets): Missing | undefined {
  const isKnown = (digest: string) => secrets.has(tokenText({ is: 'digest', digest }))
  const ignored = new Map(project.resources.map((one) => [one.address, one.lifecycle.ignoreChanges]))
  for (const change of plan.changes) {
    if (change.action === 'no-op' || change.action === 'delete') continue
    // What ignore_changes keeps as it is recorded, no step sends: a plan in which one does is refused when it is made.
    const isKept = (pointer: string, digest: string): boolean => {
      const [, field = ''] = pointer.split('/')
      const recorded =
        change.action === 'update' && ignored.get(change.address)?.includes(`/${field}`)
          ? records.get(change.previous_address ?? change.address)?.spec[field]
          : undefined
      return recorded !== undefined && tokensIn(recorded).includes(tokenText({ is: 'digest', digest }))
    }
    for (const [pointer, digest] of Object.entries(change.digests))
      if (!digest.startsWith('once:') && !isKnown(digest) && !isKept(pointer, digest)) return { change, pointer }
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
    if (change?.after_unknown.some((one) => one === `/${name}` || one.startsWith(`/${name}/`)) === true)
      return { is: 'unknown', sensitive: isHidden(change.unresolved, [name]) }
    if (Object.hasOwn(wanted, name)) return recordedAttribute({ id: '', spec: wanted, outputs: {} }, path, secrets)
    return record && !made ? recordedAttribute(record, path, secrets) : unknown
  }
}
