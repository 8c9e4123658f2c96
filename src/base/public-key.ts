// Public keys as OpenSSH writes them: whether one is well-formed.

const LINE = /^[a-z][\w@.-]* [A-Za-z0-9+/]+={0,2}(?:[ \t][^\r\n]*)?\r?\n?$/

/** How many fields follow the type, for the types that are known. RFC 4253, 5656, 8709 and OpenSSH's PROTOCOL.u2f. */
const parts: ReadonlyMap<string, number> = new Map([
  ['ssh-rsa', 2],
  ['ssh-dss', 4],
  ['ssh-ed25519', 1],
  ['ecdsa-sha2-nistp256', 2],
  ['ecdsa-sha2-nistp384', 2],
  ['ecdsa-sha2-nistp521', 2],
  ['sk-ssh-ed25519@openssh.com', 2],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 3],
])

/** Why a text is no OpenSSH public key (type, base64, perhaps a comment); undefined for one that is. RFC 4253, section 6.6. */
export function publicKeyFault(text: string): string | undefined {
  if (!LINE.test(text)) return 'an OpenSSH public key: type, base64, perhaps a comment'
  const [type = '', blob = ''] = text.trim().split(/\s+/)
  const bytes = Buffer.from(blob, 'base64')
  if (bytes.toString('base64') !== blob) return 'an OpenSSH public key: its base64 is damaged'
  const [first, ...rest] = fieldsOf(bytes) ?? []
  if (first !== undefined && first.toString() !== type) return 'an OpenSSH public key: the base64 does not begin with the type'
  return rest.length >= (parts.get(type) ?? 1) ? undefined : 'an OpenSSH public key: the base64 is cut off'
}

/** The fields of a key, each after its length in four bytes; undefined where they do not end with the key. */
function fieldsOf(bytes: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const end = at + 4 + (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : bytes.length)
    if (end > bytes.length) return undefined
    fields.push(bytes.subarray(at + 4, end))
    at = end
  }
  return fields
}
