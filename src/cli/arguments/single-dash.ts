// Long flags with one dash, as Terraform's hands write them: read as what they are here.
import type { Flags } from './flags.ts'
import { otherFlags, soAnyway } from './other-words.ts'

/** The words with every such flag in its own form, and what was read as what. */
export interface SingleDash {
  readonly words: readonly string[]
  readonly read: readonly string[]
}

interface Reading {
  readonly oneDash?: Readonly<Record<string, readonly string[]>> | undefined
  readonly areAll?: boolean
  readonly upToCommand?: boolean
}

/** Flags that have another name here; what is undefined is on anyway. */
const otherwise: Readonly<Record<string, string | undefined>> = {
  'input=false': '--no-input',
  'input=true': undefined,
  chdir: '--dir',
  help: '--help',
  version: '--version',
}

/** Reads `-var x=1`, `-target=A`, `-auto-approve`, `-input=false`; what follows a flag that takes a value, or `--`, is left alone. What stands in `oneDash` is meant as it is written, and nothing is said of it. A flag of other tools is told as the one with two dashes is, once all flags that there are stand in `flags`. What the command's flags mean is not known before it: `upToCommand` leaves its word, and all behind it, alone. */
export function withTwoDashes(words: readonly string[], flags: Flags, { oneDash = {}, areAll = false, upToCommand = false }: Reading = {}): SingleDash {
  const out: string[] = []
  const read = new Set<string>()
  let isValue = false
  for (const [at, word] of words.entries()) {
    if (word === '--' || (upToCommand && !isValue && !word.startsWith('-'))) return { words: [...out, ...words.slice(at)], read: [...read] }
    const meant = !isValue && /^-[a-z]/.test(word) && Object.hasOwn(oneDash, word.slice(1)) ? oneDash[word.slice(1)] : undefined
    const mended: readonly string[] = meant ?? (isValue ? [word] : mend(word, flags, areAll, words[at + 1]))
    if (meant === undefined && mended[0] !== word)
      read.add(mended[0] === undefined ? `${word} says what is so anyway` : `${bare(word)} is read as ${bare(mended[0])}`)
    out.push(...mended)
    isValue = !isValue && takesNext(mended.at(-1) ?? '', flags)
  }
  return { words: out, read: [...read] }
}

/** A flag without its value, which may be a secret. */
function bare(word: string): string {
  return word === '-input=false' ? word : word.replace(/=.*$/s, '')
}

function mend(word: string, flags: Flags, areAll: boolean, next = ''): readonly string[] {
  const [, name = '', value] = /^-([a-z][a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
  if (name === '') return [word]
  const behind = value === undefined ? '' : `=${value}`
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  // Terraform's switches are true without a value.
  const whole = `${name}=${value ?? 'true'}`
  for (const [key, rest] of [
    [flag === undefined ? whole : `${name}${behind}`, ''],
    [name, behind],
  ] as const)
    if (Object.hasOwn(otherwise, key)) return otherwise[key] === undefined ? [] : [`${otherwise[key]}${rest}`]
  if (flag === undefined) {
    if (!areAll || !otherFlags.has(`--${name}`)) return [word]
    return soAnyway.has(whole) ? [] : [`--${name}${behind}`]
  }
  if (flag.type === 'choice' && value === undefined && soAnyway.has(whole) && !flag.choices.includes(next)) return [`--${whole}`]
  if (flag.type !== 'switch' || value === undefined) return [`--${name}${behind}`]
  // A switch takes no value here: false is to leave it out.
  return value === 'true' ? [`--${name}`] : value === 'false' ? [] : [word]
}

/** Whether the next word is the value of this one. */
function takesNext(word: string, flags: Flags): boolean {
  if (!word.startsWith('-') || word.includes('=')) return false
  const found = Object.entries(flags).find(([name, flag]) => word === `--${name}` || (flag.short !== undefined && word === `-${flag.short}`))
  return found !== undefined && found[1].type !== 'switch' && !('optional' in found[1])
}
