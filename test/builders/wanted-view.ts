// Views for tests: the three-way question asked as the engine asks it, where live carries no more than it is given.
import { canonicalJson, parseJson, stringifyJson } from '../../src/base/json.ts'
import type { AnyKind, Kind, Step, Wanted } from '../../src/kinds/definition/kind.ts'

type Fields = Readonly<Record<string, unknown>>

interface Given<S, L> {
  readonly desired: S
  readonly recorded?: Wanted<S, L>['recorded']
  readonly live?: L | undefined
  readonly fresh?: boolean
  readonly workspaceId?: string
}

/** A view of a resource with id `1`, in workspace `9` unless another is given; `changed` compares with live where that carries a field, else with recorded. */
export function wantedView<S extends object, L>(kind: Pick<Kind<S, L>, 'fields' | 'toSpec'>, given: Given<S, L>): Wanted<S, L> {
  const { desired, recorded = {}, live, fresh = live === undefined, workspaceId = '9' } = given
  const seen: Fields = live === undefined ? {} : { ...kind.toSpec(live) }
  const wanted: Fields = Object.fromEntries(Object.entries(desired))
  const last: Fields = { ...recorded }
  const changed = (...names: string[]): boolean =>
    names.some((name) => {
      const marks = kind.fields[name] ?? {}
      if (wanted[name] === undefined) return marks.clearable === true && last[name] !== undefined
      if (marks.createOnly && live !== undefined) return false
      return spell(wanted[name], marks.unordered) !== spell(seen[name] === undefined ? last[name] : seen[name], marks.unordered)
    })
  return { id: '1', workspaceId, desired, recorded, live, fresh, nowMs: 0, changed }
}

/** Does the first step, records what it sets and clears, asks again, until nothing is missing; throws after 20 steps. */
export function runSteps(
  kind: AnyKind,
  desired: Fields,
  start: { readonly recorded: Fields; readonly live: unknown; readonly workspaceId?: string },
  made: unknown,
) {
  const fresh = start.live === undefined
  const done: Step<Fields>[] = []
  const { workspaceId = '9' } = start
  let { recorded, live } = start
  for (let next = ask(); next; next = ask()) {
    if (done.length === 20) throw new Error(`${kind.name} never ends: ${done.map((step) => step.name).join(', ')}`)
    done.push(next)
    const gone: readonly string[] = next.clears ?? []
    recorded = Object.fromEntries(Object.entries({ ...recorded, ...next.sets }).filter(([name]) => !gone.includes(name)))
    if (next.creates) live = made
  }
  function ask() {
    return kind.steps(wantedView(kind, { desired, recorded, live, fresh, workspaceId }))[0]
  }
  return { done, recorded }
}

function spell(value: unknown, unordered: boolean | undefined): string {
  const plain = unordered && Array.isArray(value) ? value.map((one) => spell(one, false)).toSorted() : value
  return canonicalJson(parseJson(stringifyJson(plain ?? null)))
}
