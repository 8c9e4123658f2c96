// Turns the words after a command's name into what it was given, by commander; whatever is wrong is a usage failure.
import { CommanderError, Command as Commander, Option } from 'commander'
import { isAddressPattern } from '../../base/address.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { parseDuration } from '../../base/units.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { Flag, Flags, Given } from '../arguments/flags.ts'
import { globalFlags } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import type { Argument, Command } from './command.ts'

const GLOBAL_GROUP = 'Global options:'

/** What came of the words: values for the command, or a text to print instead. */
export type Parsed = { readonly given: Given } | { readonly help: string }

/** The flags that a command takes besides its own. */
export function globalsOf(command: Command): Flags {
  return Object.fromEntries(Object.entries(globalFlags).filter(([name]) => !(command.without ?? []).includes(name)))
}

/** A word may be the value of a flag before it, and a secret: it is quoted where it is the address or the file that a flag is for. */
function tooMany(word: string, command: Command): Failure {
  const isFile = /\.ya?ml$/.test(word) && Object.hasOwn(globalsOf(command), 'file') && command.idle?.includes('file') !== true
  const isAddress = !isFile && Object.hasOwn(command.flags, 'target') && isAddressPattern(word)
  if (!isFile && !isAddress) return failure('usage', `argument ${command.arguments.length + 1} is one too many`)
  return failure('usage', `"${word}" is one argument too many`, { hint: `did you mean ${isFile ? '-f' : '--target'} ${shellWord(word)}?` })
}

/** What commander says; of an unknown option with a value what it says of the option alone, whose nearest right word it knows then. */
function saidOf(error: CommanderError, commander: Commander): string {
  const option = /^error: unknown option '(--[^=\s']+)=/.exec(error.message)?.[1]
  if (option === undefined) return error.message
  try {
    commander.parse([option], { from: 'user' })
  } catch (again) {
    if (!(again instanceof CommanderError)) throw again
    if (again.code === error.code) return again.message
  }
  return `${option} takes no value`
}

/** Reads the words; throws a Failure `usage` with the nearest right word as its hint. */
export function parseCommand(name: string, command: Command, words: readonly string[]): Parsed {
  const commander = commanderOf(name, command)
  let help = ''
  commander.configureOutput({ writeOut: (text) => void (help += text), writeErr: () => undefined })
  try {
    commander.parse([...words], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return { help }
    const extra = error.code === 'commander.excessArguments' ? commander.args[command.arguments.length] : undefined
    throw extra === undefined ? usageFailure(saidOf(error, commander)) : tooMany(extra, command)
  }
  const values: Readonly<Record<string, unknown>> = commander.opts()
  const all: Flags = { ...globalFlags, ...command.flags }
  const given = givenOf(all, values, commander.args)
  for (const [at, { name: argument, choices, many }] of command.arguments.entries()) {
    const word = given.arguments[at]
    const named = many ? given.arguments.slice(at) : [word]
    if (argumentsOfPaths.includes(argument) && named.includes('')) throw usageFailure(`${argument} "" names no file or folder`)
    if (choices && word !== undefined && !choices.includes(word)) throw usageFailure(`${argument} must be one of ${choices.join(', ')}`)
  }
  return { given }
}

function commanderOf(name: string, command: Command): Commander {
  const commander = new Commander(`iac ${name}`)
  commander
    .exitOverride()
    .allowExcessArguments(false)
    .description(command.about ?? command.summary)
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup(GLOBAL_GROUP))
  commander.addHelpText('after', exampleText(command))
  for (const one of command.arguments) commander.argument(argumentText(one), one.about)
  for (const [flag, definition] of Object.entries(command.flags)) commander.addOption(optionOf(flag, definition))
  commander.optionsGroup(GLOBAL_GROUP)
  for (const [flag, definition] of Object.entries(globalsOf(command)))
    commander.addOption(optionOf(flag, definition).hideHelp(command.idle?.includes(flag) === true))
  return commander
}

function exampleText(command: Command): string {
  const lines = command.examples.map((one) => `  iac ${one.text}\n      ${one.about}`)
  return lines.length === 0 ? '' : `\nExamples:\n${lines.join('\n')}\n`
}

function argumentText({ name, optional, many }: Argument): string {
  const named = many ? `${name}...` : name
  return optional ? `[${named}]` : `<${named}>`
}

/** How help shows a flag: `-f, --file <PATH>`. */
export function flagText(name: string, flag: Flag): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `
  if (flag.type === 'switch') return `${short}--${name}`
  return flag.type === 'text' && flag.optional ? `${short}--${name} [${flag.value}]` : `${short}--${name} <${flag.value}>`
}

function optionOf(name: string, flag: Flag): Option {
  const option = new Option(flagText(name, flag), aboutOf(flag))
  // --no-x is a flag of its own here, not the opposite of --x: both may stand in one command.
  option.negate = false
  if (flag.type === 'list') return option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
  return option
}

/** What help says of a flag. */
export function aboutOf(flag: Flag): string {
  if (flag.type === 'choice') return `${flag.about}: ${flag.choices.join(', ')}`
  if (flag.type === 'list') return `${flag.about} (repeatable)`
  return flag.about
}

function givenOf(flags: Flags, values: Readonly<Record<string, unknown>>, words: readonly string[]): Given {
  const checked = new Map(Object.entries(flags).map(([name, flag]) => [name, checkedValue(name, flag, values[memberOf(name)])]))
  function valueOf(name: string): unknown {
    if (!checked.has(name)) throw new Error(`no flag is called --${name}`)
    return checked.get(name)
  }
  return Object.freeze({
    switch: (name: string) => valueOf(name) === true,
    text(name: string) {
      const value = valueOf(name)
      return typeof value === 'string' ? value : undefined
    },
    list(name: string) {
      const value = valueOf(name)
      return Array.isArray(value) ? value.map(String) : []
    },
    number(name: string) {
      const value = valueOf(name)
      return typeof value === 'number' ? value : undefined
    },
    arguments: words,
  })
}

/** Commander names members in camel case. */
function memberOf(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** What help calls the value of a flag that names a file or folder. */
const ofPaths: readonly string[] = ['PATH', 'FILE', 'FOLDER']
/** The same of an argument; a PATH is one of the API there. */
const argumentsOfPaths: readonly string[] = ['FILE', 'FOLDER', 'PLANFILE']

function checkedValue(name: string, flag: Flag, value: unknown): unknown {
  if (flag.type === 'switch') return value === true
  if (value === true) return ''
  // As a path it would be the current folder, and mostly it is a variable of a pipeline that is not set.
  if (ofPaths.includes(flag.value) && [value].flat().includes('')) throw usageFailure(`--${name} "" names no file or folder`)
  if (typeof value !== 'string') return value
  if (flag.type === 'integer') return integerOf(name, flag.least, flag.most, value)
  if (flag.type === 'duration') return durationOf(name, value)
  if (flag.type === 'choice' && !flag.choices.includes(value)) throw usageFailure(`--${name} must be one of ${flag.choices.join(', ')}`)
  return value
}

function integerOf(name: string, least: number, most: number, text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw usageFailure(`--${name} must be an integer from ${least} to ${most}`)
}

function durationOf(name: string, text: string): number {
  const value = text === '0' ? 0 : parseDuration(text)
  if (value === undefined) throw usageFailure(`--${name} must be a duration such as 90s, 20m or 1h30m`)
  return value
}
