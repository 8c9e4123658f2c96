// Signatures of saved plans: whoever holds the key made the plan, or has seen nobody change it.
import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto'
import { failure } from '../../base/diagnostic.ts'
import { noKeyDetail, readKeyText } from '../../base/words/key-text.ts'
import type { Plan } from '../model/plan-data.ts'

/** A key of signatures, 32 bytes. */
export type PlanKey = Uint8Array

/** A key from its text: 32 bytes in base64, or a passphrase of at least 16 characters. Throws Failure 9, which does not quote it. */
export function readPlanKey(text: string): PlanKey {
  const key = readKeyText(text)
  if (!key) throw failure('plan_key', 'IAC_PLAN_KEY is no key', { detail: noKeyDetail })
  if ('bytes' in key) return key.bytes
  // Slow on purpose: a plan file and its signature are all that guessing needs.
  return scryptSync(key.passphrase, 'iac-plan/v1', 32, { N: 32_768, r: 8, p: 1, maxmem: 64 << 20 })
}

/** `hmac-sha256:…` over the plan's hash, which is over all the rest. */
export function signatureOf(plan: Pick<Plan, 'format' | 'hash'>, key: PlanKey): string {
  return `hmac-sha256:${createHmac('sha256', key).update(`${plan.format} ${plan.hash}`).digest('hex')}`
}

/** Whether a plan bears the signature of a key; takes the same time for whatever it bears. */
export function isSigned(plan: Pick<Plan, 'format' | 'hash' | 'signature'>, key: PlanKey): boolean {
  const [expected, given] = [Buffer.from(signatureOf(plan, key)), Buffer.from(plan.signature ?? '')]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Throws Failure 9 for a plan without the signature of the key; without a key everything passes. */
export function checkSignature(plan: Plan, key: PlanKey | undefined): void {
  if (key === undefined || isSigned(plan, key)) return
  const detail = plan.signature === undefined ? 'It bears no signature.' : 'Another key made its signature, or it was altered after it was signed.'
  throw failure('plan_unsigned', 'IAC_PLAN_KEY is set, and the plan is not signed with it', {
    detail,
    hint: 'make it with the same IAC_PLAN_KEY: `iac plan --out FILE`',
  })
}
