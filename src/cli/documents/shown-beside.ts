// What stands beside an example where people read it: what the example needs, and not what the conformance walk changes it to.
import { stringifyJson } from '../../base/json.ts'
import type { AnyKind, Beside, Example } from '../../kinds/definition/kind.ts'

interface Shown {
  readonly kind: AnyKind | undefined
  readonly spec: Beside['spec']
}

/** The manifests beside an example that its spec points at or its kind needs, by itself or over one another, in their order. */
export function shownBeside(kinds: readonly AnyKind[], kind: AnyKind, { spec, beside = [] }: Example): readonly Beside[] {
  const shown = new Set<Beside>()
  const open: Shown[] = [{ kind, spec }]
  for (const one of open)
    for (const other of beside) {
      const theirs: Shown = { kind: kinds.find(({ name }) => name === other.kind), spec: other.spec }
      if (shown.has(other) || !(pointsAt(one, other) || isServedBy(one, theirs))) continue
      shown.add(other)
      open.push(theirs)
    }
  return beside.filter((one) => shown.has(one))
}

function pointsAt({ kind, spec }: Shown, { kind: other, name }: Beside): boolean {
  const fields = (kind?.referenceFields ?? []).filter(({ ref }) => ref.includes(other))
  const pointed = fields.flatMap(({ field }) => [spec[field]].flat())
  return pointed.includes(name) || pointed.includes(`${other}/${name}`) || stringifyJson(spec).includes(`${other}['${name}']`)
}

/** By what kinds need of each other without a reference, such as nodes their cluster. */
function isServedBy({ kind, spec }: Shown, other: Shown): boolean {
  const provided = other.kind?.provides?.(other.spec, PLACE) ?? []
  return kind?.needs?.(spec, PLACE).some((one) => provided.includes(one)) ?? false
}

const PLACE = 'the workspace of all of them'
