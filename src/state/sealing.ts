// Texts of a state as they are kept: in clear, or each encrypted and bound to its place.
import { createCipheriv, createDecipheriv, createHmac, scryptSync } from 'node:crypto'
import * as z from 'zod'
import { failure } from '../base/diagnostic.ts'
import type { Failure } from '../base/diagnostic.ts'
import { canonicalJson, isObject, parseJson, stringifyJson } from '../base/json.ts'
import type { JsonObject } from '../base/json.ts'
import type { readKeyText } from '../base/words/key-text.ts'

/** What a text is, and of which place: a sealed one can be opened as nothing else. */
export type SealedPlace = readonly (string | number)[]

export interface Sealing {
  /** The text as it is kept; `shown` stays readable, and as bound to it as the place is. */
  seal(text: string, place: SealedPlace, shown?: JsonObject): string
  /** The way back; Failure 9 for what no key of ours opens, for what was altered or stood elsewhere, and for a text in clear where there are keys. */
  open(kept: string, place: SealedPlace, where: string): string
  /** Whether a write today would keep it in the same way: in clear, or by the first key. */
  isCurrent(kept: string): boolean
  /** What stands for a name that is to be found again and not to be read. */
  name(name: string): string
}

/** A key as `readKeyText` gives it. */
export type SealingKey = NonNullable<ReturnType<typeof readKeyText>>

export interface SealingSettings {
  /** The first seals, all open. */
  readonly keys: readonly [SealingKey, ...SealingKey[]]
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  /** A text in clear is taken, too: what is there is about to be sealed for the first time. */
  readonly takesClear?: boolean
}

const format = 'iac-sealed/v1'
const start = /^\s*\{\s*"format"\s*:\s*"iac-sealed\//
const cipher = 'aes-256-gcm'
const [nonceBytes, tagBytes, saltBytes] = [12, 16, 16]
/** About a quarter of a second and 32 MiB for each passphrase and salt: one salt serves a whole state. */
const cost = { N: 32_768, r: 8, p: 3, maxmem: 64 << 20 }

const sealedSchema = z.object({
  format: z.literal(format),
  key: z.string(),
  salt: z.string().max(64).optional(),
  nonce: z.string().length((nonceBytes / 3) * 4),
  data: z.string(),
})
type Sealed = z.infer<typeof sealedSchema> & { readonly shown: JsonObject }

/** Whether a text is sealed, whatever its key. */
export function isSealed(kept: string): boolean {
  return start.test(kept)
}

/** Texts as they are. */
export const inClear: Sealing = Object.freeze<Sealing>({
  seal: (text: string) => text,
  open(kept: string, _: SealedPlace, where: string) {
    if (!isSealed(kept)) return kept
    throw failure('state_key', `${where} is encrypted, and no key is set`, { hint: 'name its keys: state.encryption in iac.yaml' })
  },
  isCurrent: (kept: string) => !isSealed(kept),
  name: (name: string) => name,
})

/**
 * Texts encrypted by AES-256-GCM under a fresh nonce each, authenticated with their place; the keys of passphrases by scrypt.
 * A passphrase's salt is drawn once and then taken from what is there, so that a state is not guessed at any faster, and opened at the cost of one.
 */
export function sealedBy(settings: SealingSettings): Sealing {
  const { keys, randomBytes, takesClear = false } = settings
  const derive = deriving()
  let salt: string | undefined

  function firstKey(): { readonly secret: Uint8Array; readonly salt: JsonObject } {
    const [first] = keys
    if ('bytes' in first) return { secret: first.bytes, salt: {} }
    salt ??= Buffer.from(randomBytes(saltBytes)).toString('base64')
    return { secret: derive(first.passphrase, salt), salt: { salt } }
  }
  function keyOf(sealed: Sealed, where: string): Uint8Array {
    for (const [index, key] of keys.entries()) {
      const secret = 'bytes' in key ? key.bytes : sealed.salt === undefined ? undefined : derive(key.passphrase, sealed.salt)
      if (secret === undefined || keyId(secret) !== sealed.key) continue
      if (index === 0) salt ??= sealed.salt
      return secret
    }
    throw failure('state_key', `${where} is encrypted with another key`, {
      detail: `None of the ${keys.length === 1 ? 'one key' : `${keys.length} keys`} of state.encryption opens it. Nothing was changed.`,
      hint: 'give the key that it was written with; an old one may stand behind the new one until `iac state rekey`',
    })
  }
  return Object.freeze({
    seal(text, place, shown = {}) {
      const { secret, salt: withSalt } = firstKey()
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, secret, nonce).setAAD(boundTo(place, shown))
      const data = Buffer.concat([sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()])
      return stringifyJson({ format, ...shown, key: keyId(secret), ...withSalt, nonce: Buffer.from(nonce).toString('base64'), data: data.toString('base64') })
    },
    open(kept, place, where) {
      if (!isSealed(kept)) {
        if (takesClear) return kept
        throw notSealed(where)
      }
      const sealed = readSealed(kept)
      if (!sealed) throw altered(where)
      const secret = keyOf(sealed, where)
      const bytes = Buffer.from(sealed.data, 'base64')
      try {
        const opening = createDecipheriv(cipher, secret, Buffer.from(sealed.nonce, 'base64'), { authTagLength: tagBytes })
        opening.setAAD(boundTo(place, sealed.shown)).setAuthTag(bytes.subarray(-tagBytes))
        return Buffer.concat([opening.update(bytes.subarray(0, -tagBytes)), opening.final()]).toString('utf8')
      } catch {
        throw altered(where)
      }
    },
    isCurrent: (kept) => isSealed(kept) && readSealed(kept)?.key === keyId(firstKey().secret),
    name: (name) => createHmac('sha256', firstKey().secret).update(`${format} name ${name}`).digest('base64url'),
  } satisfies Sealing)
}

function readSealed(kept: string): Sealed | undefined {
  try {
    const value = parseJson(kept)
    const sealed = sealedSchema.safeParse(value)
    if (!sealed.success || !isObject(value)) return undefined
    const shown = Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(sealedSchema.shape, name)))
    return { ...sealed.data, shown }
  } catch {
    return undefined
  }
}

/** What a key is known by: nobody finds the key from it. */
function keyId(secret: Uint8Array): string {
  return createHmac('sha256', secret).update(`${format} key`).digest('hex').slice(0, 16)
}

function boundTo(place: SealedPlace, shown: JsonObject): Buffer {
  return Buffer.from(canonicalJson([format, place, shown]))
}

/** Slow on purpose, and hence once for each passphrase and salt. */
function deriving(): (passphrase: string, salt: string) => Uint8Array {
  const derived = new Map<string, Uint8Array>()
  return (passphrase, salt) => {
    const known = derived.get(`${salt} ${passphrase}`) ?? scryptSync(passphrase, Buffer.from(salt, 'base64'), 32, cost)
    derived.set(`${salt} ${passphrase}`, known)
    return known
  }
}

function altered(where: string): Failure {
  return failure('state_damaged', `${where} is not what was encrypted`, {
    detail: 'It was altered, cut off, or belongs to another place. Nothing was changed.',
    hint: 'see `iac state history`; `iac state restore` puts the last good generation back',
  })
}

function notSealed(where: string): Failure {
  return failure('state_unsealed', `${where} is not encrypted, and state.encryption says that it is`, {
    detail: 'It may have been put there by somebody without the key. Nothing was changed.',
    hint: 'encrypt what you trust with `iac state rekey`; a generation that `iac state history` can read is encrypted, and can be restored',
  })
}
