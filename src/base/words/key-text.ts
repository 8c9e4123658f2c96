// Keys as people give them: 32 bytes in base64, or a passphrase.

/** What a text is as a key; undefined for one that is none. A passphrase has at least 16 characters, in Unicode's composed form. */
export function readKeyText(text: string): { readonly bytes: Uint8Array } | { readonly passphrase: string } | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 32 && bytes.toString('base64') === text) return { bytes }
  return Array.from(text).length < 16 ? undefined : { passphrase: text.normalize('NFC') }
}

/** What is said of a text that is no key. */
export const noKeyDetail = 'It is neither 32 bytes in base64 nor a passphrase of at least 16 characters.'
