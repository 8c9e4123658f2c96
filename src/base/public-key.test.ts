// Public keys: those of every common type are well-formed, and nothing that was cut, damaged or renamed is.
import { describe, expect, test } from 'vitest'
import { publicKeyFault } from './public-key.ts'

function blobOf(...fields: readonly (string | Buffer)[]): string {
  const parts = fields.map((field) => Buffer.from(field)).flatMap((field) => [Buffer.from([0, 0, field.length >> 8, field.length & 255]), field])
  return Buffer.concat(parts).toString('base64')
}
const ed25519 = blobOf('ssh-ed25519', Buffer.alloc(32, 7))

describe('a public key', () => {
  test.each([
    ['Ed25519', `ssh-ed25519 ${ed25519}`],
    ['with a comment and an end of line', `ssh-ed25519 ${ed25519} me@example.com at work\n`],
    ['RSA', `ssh-rsa ${blobOf('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.alloc(257, 9))}`],
    ['ECDSA', `ecdsa-sha2-nistp256 ${blobOf('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 4))}`],
    ['of a type that is not known', `ssh-new ${blobOf('ssh-new', 'x')}`],
    ['of a security key', `sk-ssh-ed25519@openssh.com ${blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 1), 'ssh:')}`],
  ])('%s is well-formed', (_, text) => expect(publicKeyFault(text)).toBeUndefined())

  test.each([
    ['nothing', '', 'type, base64'],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----', 'type, base64'],
    ['two lines', `ssh-ed25519 ${ed25519}\nssh-ed25519 ${ed25519}`, 'type, base64'],
    ['another type before it', `ssh-rsa ${ed25519}`, 'does not begin with the type'],
    ['a type alone', `ssh-ed25519 ${blobOf('ssh-ed25519')}`, 'cut off'],
    ['a cut key', `ssh-ed25519 ${ed25519.slice(0, 28)}`, 'cut off'],
    ['a cut RSA key', `ssh-rsa ${blobOf('ssh-rsa', Buffer.from([1, 0, 1]))}`, 'cut off'],
    ['a cut length', `ssh-ed25519 ${Buffer.concat([Buffer.from(blobOf('ssh-ed25519'), 'base64'), Buffer.from([0, 0])]).toString('base64')}`, 'cut off'],
    ['one sign too many', `ssh-ed25519 ${ed25519}=`, 'damaged'],
  ])('%s is not', (_, text, why) => expect(publicKeyFault(text)).toContain(why))
})
