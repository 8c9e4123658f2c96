// Time-based one-time codes (RFC 6238): six digits, 30 seconds, SHA-1.
import { createHmac } from 'node:crypto'
import type { UserRow } from '../store/rows.ts'

const STEP_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Whether 2FA is on; half of a setup is not. */
export function hasTotp(user: UserRow | undefined): boolean {
  return user?.totp?.active === true
}

/** Whether a code is that of its half minute, or of the one before or after. */
export function isTotp(secret: string, code: string, atMs: number): boolean {
  return [-1, 0, 1].some((step) => totpOf(secret, atMs + step * STEP_MS) === code)
}

/** The code of a base32 secret at an instant. */
export function totpOf(secret: string, atMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS)))
  const digest = createHmac('sha1', readBase32(secret)).update(counter).digest()
  const number = digest.readUInt32BE(digest.readUInt8(digest.length - 1) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Bytes as base32, without padding: five of them are eight letters. */
export function printBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return Array.from(bits.matchAll(/.{5}/g), ([five]) => ALPHABET.charAt(parseInt(five, 2))).join('')
}

function readBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(Array.from(bits.matchAll(/.{8}/g), ([byte]) => parseInt(byte, 2)))
}
