// Where a text stops being JSON: found in one pass, without recursion and without keeping anything of it.

/** What may come next: a value, a value or the end of an empty list, a key, a key or the end of an empty object, a colon, or what follows a value. */
type Due = 'value' | 'first' | 'key' | 'first key' | 'colon' | 'next'

/** The index of the first character that no JSON text could have there, the length where more is missing; undefined for what is JSON. */
export function syntaxErrorAt(source: string): number | undefined {
  const open: string[] = []
  let due: Due = 'value'
  let at = skipSpace(source, 0)
  while (at < source.length) {
    const character = source.charAt(at)
    const isEnd = character === (open.at(-1) === '{' ? '}' : ']') && open.length > 0
    if (isEnd && (due === 'next' || due === (open.at(-1) === '{' ? 'first key' : 'first'))) {
      open.pop()
      due = 'next'
      at += 1
    } else if (due === 'next') {
      if (character !== ',' || open.length === 0) return at
      due = open.at(-1) === '{' ? 'key' : 'value'
      at += 1
    } else if (due === 'colon') {
      if (character !== ':') return at
      due = 'value'
      at += 1
    } else if (due === 'value' || due === 'first') {
      const end = character === '[' || character === '{' ? at + 1 : endOfSingle(source, at)
      if (end < 0) return -end - 1
      due = character === '[' ? 'first' : character === '{' ? 'first key' : 'next'
      if (due !== 'next') open.push(character)
      at = end
    } else {
      const end = character === '"' ? endOfText(source, at) : -at - 1
      if (end < 0) return -end - 1
      due = 'colon'
      at = end
    }
    at = skipSpace(source, at)
  }
  return due === 'next' && open.length === 0 ? undefined : source.length
}

function skipSpace(source: string, start: number): number {
  let at = start
  while (at < source.length && ' \t\n\r'.includes(source.charAt(at))) at += 1
  return at
}

/** Where a string, number or word ends; -1 minus the place of what is wrong with it. */
function endOfSingle(source: string, start: number): number {
  const character = source.charAt(start)
  if (character === '"') return endOfText(source, start)
  const word = character === 't' ? 'true' : character === 'f' ? 'false' : character === 'n' ? 'null' : undefined
  if (word === undefined) return endOfNumber(source, start)
  for (let at = 0; at < word.length; at += 1) if (source.charAt(start + at) !== word.charAt(at)) return -(start + at) - 1
  return start + word.length
}

function endOfText(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    const code = source.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return -at - 1
    if (code !== 0x5c) continue
    at += 1
    if (source.charAt(at) === 'u') {
      for (let digit = 0; digit < 4; digit += 1) if (!/^[0-9a-fA-F]$/.test(source.charAt((at += 1)))) return -Math.min(at, source.length) - 1
    } else if (at < source.length && !'"\\/bfnrt'.includes(source.charAt(at))) return -at - 1
  }
  return -source.length - 1
}

function endOfNumber(source: string, start: number): number {
  const whole = source.charAt(start) === '-' ? start + 1 : start
  let at = source.charAt(whole) === '0' ? whole + 1 : endOfDigits(source, whole)
  if (at === whole) return -at - 1
  if (source.charAt(at) === '.') {
    const end = endOfDigits(source, at + 1)
    if (end === at + 1) return -end - 1
    at = end
  }
  if (source.charAt(at) !== 'e' && source.charAt(at) !== 'E') return at
  const digits = '+-'.includes(source.charAt(at + 1) || ' ') ? at + 2 : at + 1
  const end = endOfDigits(source, digits)
  return end === digits ? -end - 1 : end
}

function endOfDigits(source: string, start: number): number {
  let at = start
  while (source.charCodeAt(at) >= 0x30 && source.charCodeAt(at) <= 0x39) at += 1
  return at
}
