// Passwords as they are kept: salted scrypt.
import { createHash, scryptSync, timingSafeEqual } from 'node:crypto'

// Little work on purpose: it guards test data, and each sandbox hashes one password when it starts.
const WORK = { N: 64, r: 8, p: 1 } as const

/** `salt:hash` of a password; the salt follows from the label, so that a sandbox replays exactly. */
export function hashPassword(password: string, label: string): string {
  const salt = saltOf(label)
  return `${salt}:${scryptSync(password, salt, 32, WORK).toString('hex')}`
}

/** Whether a hash has the salt of this label. */
export function isSaltedBy(label: string, hashed: string): boolean {
  return hashed.startsWith(`${saltOf(label)}:`)
}

/** Whether a password is the one that was hashed. */
export function isPassword(password: string, hashed: string): boolean {
  const [salt = '', hash = ''] = hashed.split(':')
  return timingSafeEqual(scryptSync(password, salt, 32, WORK), Buffer.from(hash, 'hex'))
}

function saltOf(label: string): string {
  return createHash('sha256').update(label).digest('hex').slice(0, 32)
}
