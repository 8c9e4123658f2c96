// The command line from words to exit code: finds the command, reads its flags, runs it, and reports whatever ends it.
import type { ExitCode } from '../base/catalogue.ts'
import type { Diagnostic } from '../base/diagnostic.ts'
import { diagnostic, Failure, failure } from '../base/diagnostic.ts'
import { nearest } from '../base/words/nearest.ts'
import type { AnyKind } from '../kinds/definition/kind.ts'
import type { Completed, CompletedFlag } from './arguments/completion-script.ts'
import { globalFlags } from './arguments/flags.ts'
import type { Flag, Flags, Given } from './arguments/flags.ts'
import { otherWords } from './arguments/other-words.ts'
import { withTwoDashes } from './arguments/single-dash.ts'
import { pointingToHelp, usageFailure } from './arguments/usage.ts'
import { commandTable, namesBelow } from './command-table.ts'
import type { Command } from './context/command.ts'
import { createContext } from './context/context.ts'
import { aboutOf, flagText, globalsOf, parseCommand } from './context/parse-command.ts'
import { validateDocument } from './render/diagnostics/diagnostic-json.ts'
import { versionLine } from './render/progress/stream-json.ts'
import { wrapped } from './render/text/wrapped.ts'
import { failureOf } from './surroundings/failures.ts'
import { createPrinter } from './surroundings/printer.ts'
import type { Printer } from './surroundings/printer.ts'
import type { Surroundings } from './surroundings/surroundings.ts'

const tlsHint = { hint: 'name the certificate authority in NODE_EXTRA_CA_CERTS instead' }

/** Tells what ended a run before a command had begun, and of which one, as far as that is known. */
type Fails = (error: unknown, name?: string, command?: Pick<Command, 'streams' | 'idle'>) => ExitCode

/** Runs one command; never throws. `argv` are the words after the program's name. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const json = asksForJson(argv)
  const plain = createPrinter(surroundings, {
    json,
    colours: !argv.includes('--no-color'),
    quiet: false,
    verbose: argv.includes('--verbose'),
    asTerraform: argv.some((word, at) => word === '--compat=terraform' || (word === '--compat' && argv[at + 1] === 'terraform')),
  })
  const fail: Fails = (error, name = '', command = {}) => {
    const { diagnostics, exitCode } = failureOf(pointingToHelp(error, name))
    plain.diagnostics(diagnostics)
    if (json) tellUnsaid(plain, command, surroundings.version, diagnostics)
    return exitCode
  }
  try {
    return await dispatch(argv, surroundings, fail)
  } catch (error) {
    return fail(error)
  }
}

/** Whether a program reads what is printed, as far as the words tell before anything knows their flags. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).some((word) => word === '--json' || word === '-json')
}

async function dispatch(argv: readonly string[], surroundings: Surroundings, fail: Fails): Promise<ExitCode> {
  if (surroundings.environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw failure('usage', 'NODE_TLS_REJECT_UNAUTHORIZED=0 is refused: anybody on the way could read the token', tlsHint)
  const ahead = withTwoDashes(argv, globalFlags, { upToCommand: true })
  const words = commandFirst(ahead.words)
  const [first] = words
  if (first === undefined || first === 'help' || first.startsWith('-')) return await printHelp(words, surroundings, fail)
  const name = nameOf(words)
  const entry = name === undefined ? undefined : commandTable[name]
  if (name === undefined || !entry) {
    if (namesBelow(first).length === 0 || !words.slice(1).some(isHelp) || !(words[1] ?? '').startsWith('-')) throw unknownCommand(words)
    surroundings.stdout.write(helpBelow(first))
    return 0
  }
  const command = await entry.load()
  const flags = { ...globalsOf(command), ...command.flags }
  const { words: behind, read } = withTwoDashes(words.slice(name.split(' ').length), flags, { oneDash: command.oneDash, areAll: true })
  let parsed: ReturnType<typeof parseCommand>
  try {
    parsed = parseCommand(name, command, behind)
  } catch (error) {
    return fail(error, name, command)
  }
  if ('help' in parsed) {
    surroundings.stdout.write(parsed.help)
    return 0
  }
  return await runParsed(name, command, { given: parsed.given, read: new Set([...ahead.read, ...read]) }, surroundings)
}

async function runParsed(
  name: string,
  command: Command,
  { given, read }: { readonly given: Given; readonly read: ReadonlySet<string> },
  surroundings: Surroundings,
): Promise<ExitCode> {
  const asTerraform = Object.hasOwn(command.flags, 'compat') && given.text('compat') === 'terraform'
  const context = createContext({ name, globals: given, surroundings, completed, asTerraform })
  context.print.diagnostics([...read].map((text) => diagnostic('note', `${text}: long flags have two dashes here`)))
  try {
    return await command.run(context, given)
  } catch (error) {
    const ended = failureOf(pointingToHelp(error, name))
    const stopped = surroundings.stop.aborted && ended.diagnostics.every((one) => one.code !== 'internal')
    const isUnsaid = given.switch('json') && context.print.isSilent()
    context.print.diagnostics(ended.diagnostics)
    if (isUnsaid) tellUnsaid(context.print, command, surroundings.version, ended.diagnostics)
    const exitCode = stopped ? 130 : ended.exitCode
    if (Object.hasOwn(command.flags, 'format') || Object.hasOwn(command.flags, 'no-ci'))
      await (await import('./apply/failed-run.ts')).tellFailed(context, command.flags, given, { diagnostics: ended.diagnostics, exitCode })
    return exitCode
  } finally {
    for (const one of await context.close()) context.print.diagnostics([one])
  }
}

/** The mistakes where a result would stand: a stream that ends before it has begun, else what `validate --json` prints; nothing where there is never a result. */
function tellUnsaid(print: Printer, { streams, idle = [] }: Pick<Command, 'streams' | 'idle'>, version: string, diagnostics: readonly Diagnostic[]): void {
  if (idle.includes('json')) return
  if (!streams) return print.json(validateDocument(print.placed(diagnostics)))
  print.beginStream()
  print.line(versionLine(version))
  print.diagnostics(diagnostics)
}

/** The command's words first: global flags may stand before it, with their values. */
function commandFirst(argv: readonly string[]): readonly string[] {
  const before: string[] = []
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (!word.startsWith('-') || word === '-') return [word, ...followers(word, argv.slice(at + 1), before)]
    before.push(word)
    const value = argv[at + 1]
    if (takesValue(word) && value !== undefined) {
      before.push(value)
      at += 1
    }
  }
  return before
}

/** The second word of `state list` stays right behind the first, also where global flags stand between them. */
function followers(first: string, after: readonly string[], before: readonly string[]): readonly string[] {
  let at = 0
  while (isGlobal(after[at] ?? '')) at += takesValue(after[at] ?? '') ? 2 : 1
  const second = after[at]
  const belongs = second !== undefined && (at === 0 ? !second.startsWith('-') : Object.hasOwn(commandTable, `${first} ${second}`))
  return belongs ? [second, ...before, ...after.slice(0, at), ...after.slice(at + 1)] : [...before, ...after]
}

function takesValue(word: string): boolean {
  return Object.entries(globalFlags).some(([name, flag]) => flag.type !== 'switch' && (word === `--${name}` || ('short' in flag && word === `-${flag.short}`)))
}

function nameOf(words: readonly string[]): string | undefined {
  const [first = '', second] = words
  const both = `${first} ${second ?? ''}`
  if (Object.hasOwn(commandTable, both)) return both
  return Object.hasOwn(commandTable, first) ? first : undefined
}

function unknownCommand(words: readonly string[]): Failure {
  const [first = '', second] = words
  const below = namesBelow(first)
  if (below.length > 0) {
    const known = below.map((name) => name.slice(first.length + 1))
    const near = second === undefined ? undefined : nearest(second, known)
    const hint = near === undefined ? `known: ${known.join(', ')}` : `did you mean iac ${first} ${near}?`
    const summary = second === undefined || second.startsWith('-') ? `iac ${first} needs another word` : `no command is called ${first} ${second}`
    return new Failure(3, [diagnostic('usage', summary, { hint })])
  }
  const near = nearest(first, new Set(Object.keys(commandTable).map((name) => name.split(' ')[0] ?? name)))
  const hint = otherWords.get(first) ?? (near === undefined ? 'see `iac --help`' : `did you mean iac ${near}?`)
  return new Failure(3, [diagnostic('usage', `no command is called ${first}`, { hint })])
}

async function printHelp(words: readonly string[], surroundings: Surroundings, fail: Fails): Promise<ExitCode> {
  const about = words[0] === 'help' ? words.slice(1).filter((word) => !word.startsWith('-')) : []
  if (words[0] !== 'help' && words.some((word) => word === '--version' || word === '-V')) {
    surroundings.stdout.write(`iac ${surroundings.version}\n`)
    return 0
  }
  const strange = words[0] === 'help' ? undefined : words.find((word) => word.startsWith('-') && !isHelp(word) && !isGlobal(word))
  if (strange !== undefined) throw usageFailure(`unknown option '${strange}'`)
  if (about.length > 0) return await dispatch([...about, '--help'], surroundings, fail)
  surroundings.stdout.write(overview())
  return 0
}

function isGlobal(word: string): boolean {
  if (!word.startsWith('-')) return false
  const name = word.replace(/^--?/, '').split('=')[0] ?? ''
  return Object.entries(globalFlags).some(([one, flag]) => one === name || ('short' in flag && flag.short === name))
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

/** The help of a word that is no command by itself: those that begin with it. */
function helpBelow(word: string): string {
  const commands = summaryLines(namesBelow(word))
  return [`Usage: iac ${word} COMMAND [flags]`, '', 'Commands:', ...commands, '', `\`iac ${word} COMMAND --help\` shows its flags and examples.`, ''].join('\n')
}

/** The help of the program: every command with its summary. */
function overview(): string {
  return [
    'Usage: iac COMMAND [flags]',
    '',
    'Commands:',
    ...summaryLines(Object.keys(commandTable)),
    '',
    'First steps:',
    '  iac init && iac plan --sandbox',
    '',
    'Global options:',
    ...optionLines(globalFlags),
    '',
    '`iac COMMAND --help` shows its flags and examples.',
    '',
  ].join('\n')
}

function summaryLines(names: readonly string[]): readonly string[] {
  const width = names.reduce((most, name) => Math.max(most, name.length), 0)
  return names.map((name) => `  ${name.padEnd(width)}  ${commandTable[name]?.summary ?? ''}`)
}

function optionLines(flags: Flags): readonly string[] {
  const rows = Object.entries(flags).map(([name, flag]) => ({ text: flagText(name, flag), about: aboutOf(flag) }))
  const width = rows.reduce((most, one) => Math.max(most, one.text.length), 0)
  return rows.map((one) => wrapped(`  ${one.text.padEnd(width)} `, one.about, 80, width + 4))
}

/** What a shell completes before and after each command. */
async function completed(): Promise<readonly Completed[]> {
  const { kinds } = await import('../kinds/registry.ts')
  const { explainedWords } = await import('./commands/explain.ts')
  const behind = await Promise.all(
    Object.entries(commandTable).map(async ([name, entry]) => {
      const command = await entry.load()
      const takesKind = name === 'schema' || name === 'get'
      const words = name === 'explain' ? explainedWords : takesKind ? kinds.map((kind) => kind.name) : command.arguments.flatMap((one) => one.choices ?? [])
      return {
        name,
        summary: entry.summary,
        flags: completedFlags({ ...globalsOf(command), ...command.flags }, command.idle),
        words,
        addresses: addressesOf(command, kinds),
        names: command.arguments.some((one) => one.name === 'KIND') && command.arguments.some((one) => one.name === 'NAME'),
      }
    }),
  )
  return [{ name: '', summary: '', flags: completedFlags(globalFlags), words: [] }, ...behind]
}

/** Whether an address may come after it: those of the kinds that can do what it asks of them, where not all can. */
function addressesOf({ arguments: known }: Command, all: readonly AnyKind[]): boolean | readonly string[] {
  const argument = known.find((one) => one.name === 'ADDRESS')
  const { operation } = argument ?? {}
  if (operation === undefined) return argument !== undefined
  return all.filter(({ operations }) => operations?.[operation] !== undefined).map((one) => one.name)
}

/** The flags that help shows, --help with them. */
function completedFlags(flags: Flags, idle: readonly string[] = []): readonly CompletedFlag[] {
  const shown = Object.entries(flags).filter(([name]) => !idle.includes(name))
  const taken = shown.map(([name, flag]): CompletedFlag => ({ name, short: flag.short, takes: takenBy(flag) }))
  return [...taken, { name: 'help', short: 'h', takes: 'nothing' } as const].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A flag's value is a path where help calls it so. */
function takenBy(flag: Flag): CompletedFlag['takes'] {
  if (flag.type === 'switch') return 'nothing'
  if (flag.type === 'choice') return flag.choices
  if (flag.type === 'list' && flag.completes) return flag.completes
  if (flag.value === 'ADDRESS') return 'address'
  return ['PATH', 'FILE', 'FOLDER'].includes(flag.value) ? 'path' : 'text'
}
