// Objects that were ready once and are not any more: a warning and drift, never a replacement by itself.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import type { Status } from '../../../kinds/definition/kind.ts'
import type { Planned } from '../../model/planned-resource.ts'
import { viewOf } from '../../model/view.ts'

/** What has become of a recorded object, where that is stopped or failed; undefined for one that is as it should be, or never was ready. */
export function unhealthy(one: Planned): Extract<Status, 'stopped' | 'failed'> | undefined {
  if (!one.object || one.record?.status !== 'ready' || one.deposed) return undefined
  const status = one.kind.status(one.object.live, viewOf(one.situation))
  return status === 'stopped' || status === 'failed' ? status : undefined
}

/** A warning for an object that the service stopped or that failed. */
export function healthAdvice(one: Planned): Diagnostic[] {
  const status = one.leftOut ? undefined : unhealthy(one)
  if (status === undefined || one.action === 'delete' || one.action === 'replace') return []
  const text = `${one.address} ${status === 'failed' ? 'has failed' : 'is stopped'} since it was ready: that alone changes nothing`
  const first = `look at what that takes away first${status === 'stopped' ? ', and who may let it go on as it is' : ''}`
  const hint = `\`--replace ${shellWord(one.address)}\` makes it anew: ${first}`
  return [diagnostic('advice', text, { address: one.address, position: one.declared?.position(), hint })]
}
