// Who uses each row of the API document: kinds as the sources tell, which say `routes.NAME`, commands as they were seen to in the stories.
import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import type { Route } from '../../src/api/routes/route.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { resolveImport } from '../architecture/import-rules.ts'
import type { SourceFile } from '../architecture/source-file.ts'
import { parseSource } from '../architecture/source-file.ts'
import type { Accepted } from '../stories/accepted.ts'
import { acceptedCalls } from '../stories/accepted.ts'

/** One row: its methods and path, which kinds and lookups are made of it, which commands call it, which file of the sandbox answers it, and which stories drive it. */
export interface RouteRow {
  readonly name: string
  readonly section: string
  readonly call: string
  readonly kinds: readonly string[]
  readonly lookups: readonly string[]
  /** Those from which the service accepted it, the ones that call least else first. */
  readonly commands: readonly string[]
  readonly sandbox: string
  /** Files of tests, the story of the section first. */
  readonly tests: readonly string[]
}

interface Sources {
  readonly files: ReadonlyMap<string, SourceFile>
  /** What a file imports as values, loaded on demand or not. */
  readonly imports: ReadonlyMap<string, readonly string[]>
  readonly uses: ReadonlyMap<string, ReadonlySet<string>>
}

/** All rows, in the order of the document. Reads the sources, and what stories were seen to do, from the working folder. */
export function routeRows(): readonly RouteRow[] {
  const sources = readSources('src')
  const seen = acceptedCalls()
  const byKind = new Map(kinds.map((kind) => [kind.name, usedBy(sources, fileOfKind(sources, kind.name), isOfKind(sources))]))
  const answering = answeringFiles(sources)
  return Object.entries<Route>(routes).map(([name, { section, methods, path }]) => {
    const commands = commandsOf(seen, name)
    // What a kind could call and no command has it call is of no use to anybody.
    const using = commands.every((one) => one === 'api') ? [] : kinds.filter((kind) => byKind.get(kind.name)?.has(name))
    return {
      name,
      section,
      call: `${methods.join(' or ')} ${path}`,
      kinds: using.filter((kind) => kind.managed).map((kind) => kind.name),
      lookups: using.filter((kind) => !kind.managed).map((kind) => kind.name),
      commands,
      sandbox: answering.get(name) ?? '',
      tests: storiesOf(seen, name, section),
    }
  })
}

/** The routes that the file of each command names itself. */
export function routesOfCommands(): ReadonlyMap<string, ReadonlySet<string>> {
  const sources = readSources('src/cli')
  return new Map(Object.keys(commandTable).map((name) => [name, sources.uses.get(fileOfCommand(sources, name)) ?? new Set()]))
}

function commandsOf(seen: readonly Accepted[], name: string): readonly string[] {
  const breadth = (command: string): number => new Set(seen.flatMap((one) => (one.commands.includes(command) ? [one.route] : []))).size
  const calling = new Set(seen.flatMap((one) => (one.route === name ? one.commands : [])))
  return [...calling].toSorted((a, b) => breadth(a) - breadth(b) || (a < b ? -1 : 1))
}

function storiesOf(seen: readonly Accepted[], name: string, section: string): readonly string[] {
  const ofSection = new Set(Object.entries<Route>(routes).flatMap(([one, route]) => (route.section === section ? [one] : [])))
  const share = (story: string): number => seen.filter((one) => one.story === story && ofSection.has(one.route)).length
  const driving = new Set(seen.flatMap((one) => (one.route === name ? [one.story] : [])))
  return [...driving].toSorted((a, b) => share(b) - share(a) || (a < b ? -1 : 1))
}

function readTexts(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
  return new Map(names.filter((name) => name.endsWith('.ts')).map((name) => [name, readFileSync(name, 'utf8')]))
}

function readSources(folder: string): Sources {
  const texts = [...readTexts(folder)].filter(([path]) => !path.endsWith('.test.ts'))
  const files = new Map(texts.map(([path, text]) => [path, parseSource(path, text)]))
  return {
    files,
    imports: new Map([...files].map(([path, file]) => [path, valueImports(file)])),
    uses: new Map(texts.map(([path, text]) => [path, namesIn(text)])),
  }
}

function valueImports({ path, text, imports }: SourceFile): readonly string[] {
  const types = new Set(Array.from(text.matchAll(/^import type [^;'"]*?from '([^']+)'/gm), ([, from]) => from))
  const values = new Set(Array.from(text.matchAll(/^import (?!type )[^;'"]*?from '([^']+)'/gm), ([, from]) => from))
  return imports.flatMap(({ text: from }) => (from.startsWith('.') && (values.has(from) || !types.has(from)) ? [resolveImport(path, from)] : []))
}

/** The routes that a text names, comments aside. */
function namesIn(text: string): ReadonlySet<string> {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const named = Array.from(code.matchAll(/\broutes\.(\w+)/g), ([, name = '']) => name)
  return new Set(named.filter((name) => Object.hasOwn(routes, name)))
}

/** What a file uses, with all that it imports from where `within` says. */
function usedBy({ imports, uses }: Sources, from: string, within: (path: string, importer: string) => boolean): ReadonlySet<string> {
  const reached = new Set([from])
  for (const path of reached) for (const next of imports.get(path) ?? []) if (within(next, path)) reached.add(next)
  return new Set([...reached].flatMap((path) => [...(uses.get(path) ?? [])]))
}

/** Files of a kind beside its own; no other kind's. */
function isOfKind({ files }: Sources): (path: string) => boolean {
  return (path) => path.startsWith('src/kinds/') && files.get(path)?.kinds.length === 0 && !path.endsWith('/registry.ts')
}

function fileOfKind({ files }: Sources, name: string): string {
  return [...files.values()].find((file) => file.kinds.some((one) => one.kind === name))?.path ?? ''
}

/** The command table says where each command is. */
function fileOfCommand({ files }: Sources, name: string): string {
  const table = 'src/cli/command-table.ts'
  const text = files.get(table)?.text ?? ''
  const at = text.search(new RegExp(String.raw`^\s*'?${name}'?: \{`, 'm'))
  const [, from = ''] = /import\('([^']+)'\)/.exec(text.slice(at)) ?? []
  return posix.join(posix.dirname(table), from)
}

/** The file of the sandbox that answers each route: the one whose area has a member of its name. */
function answeringFiles({ files }: Sources): ReadonlyMap<string, string> {
  const areas = [...files.values()].filter(({ path }) => path.startsWith('src/sandbox/areas/'))
  return new Map(
    Object.keys(routes).flatMap((name) => {
      const member = new RegExp(String.raw`^ +(?:async )?${name}(?:\(|:|,)`, 'm')
      const found = areas.find(({ text }) => /\barea\(/.test(text) && member.test(text))
      return found ? [[name, found.path] as const] : []
    }),
  )
}
