// Values that only the making of an object answers, and that are needed again in a run that does not make it: it is made anew first.
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import type { JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { hasToken, readToken } from '../../../base/token.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import { toJson } from '../../model/live.ts'
import type { Planned } from '../../model/planned-resource.ts'
import type { AnyStep } from '../../model/view.ts'
import { stepsOf } from '../change.ts'

export interface Lost {
  /** Addresses whose object is to be made anew. */
  readonly renewed: ReadonlySet<string>
  readonly problems: readonly Diagnostic[]
}

interface Need {
  readonly address: string // whose value it is
  readonly id: string
  readonly output: string
  readonly by: Planned
}

/** What the steps of a plan need of objects that it does not make and that no read tells again; `isOut` tells what is left alone. */
export function lostSecrets(planned: readonly Planned[], isOut: (address: string) => boolean): Lost {
  const origins = new Map(planned.filter(tellsOnce).map((one) => [one.address, one]))
  const renewed = new Set<string>()
  const problems: Diagnostic[] = []
  if (origins.size === 0) return { renewed, problems }
  const needs = planned.filter((one) => one.desired !== undefined && one.action !== 'no-op' && !isOut(one.address)).flatMap(needsOf)
  for (const need of needs) {
    const origin = origins.get(need.address)
    if (origin?.objectId !== need.id || origin.action === 'create' || origin.action === 'replace') continue
    if (origin.kind.renewable && origin.declared && !isOut(origin.address)) renewed.add(origin.address)
    else problems.push(lostFor(need, origin))
  }
  return { renewed, problems }
}

function tellsOnce({ kind, deposed }: Planned): boolean {
  return !deposed && Object.values(kind.outputs).some((one) => one.once === true)
}

function needsOf(one: Planned): readonly Need[] {
  return onceIn(one.desired ?? null) ? stepsOf(one, false).flatMap((step) => sent(step, one)) : []
}

function sent({ call }: AnyStep, by: Planned): readonly Need[] {
  return tokensIn(toJson(call.body ?? null)).flatMap((text) => {
    const token = readToken(text)
    return token?.is === 'once' && token.id !== '' ? [{ ...token, by }] : []
  })
}

function onceIn(value: JsonValue): boolean {
  return tokensIn(value).some((text) => readToken(text)?.is === 'once')
}

function tokensIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return hasToken(value) ? [value] : []
  if (isList(value)) return value.flatMap(tokensIn)
  return isObject(value) ? Object.values(value).flatMap(tokensIn) : []
}

function lostFor({ address, output, by }: Need, origin: Planned): Diagnostic {
  const text = `${by.address} needs ${output.split(' ')[0]} of ${address}, which is told when it is made, and by no read afterwards`
  const hint = origin.kind.renewable
    ? `name the file of ${address} as well, or do not leave it out`
    : `--replace ${shellWord(address)} makes it anew: look at what that takes away first`
  return diagnostic('unsupported_change', text, { address: by.address, position: by.declared?.position(), hint })
}
