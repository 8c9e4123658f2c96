// Who uses each row of the API document, told by the sources themselves: a file uses a route where it says `routes.NAME`.
import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import type { Route } from '../../src/api/routes/route.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { resolveImport } from '../architecture/import-rules.ts'
import type { SourceFile } from '../architecture/source-file.ts'
import { parseSource } from '../architecture/source-file.ts'

/** One row: its methods and path, which kinds, lookups and commands use it, which file of the sandbox answers it, and which tests drive it. */
export interface RouteRow {
  readonly name: string
  readonly section: string
  readonly call: string
  readonly kinds: readonly string[]
  readonly lookups: readonly string[]
  readonly commands: readonly string[]
  /** Whether plans and applies use it by themselves. */
  readonly engine: boolean
  readonly sandbox: string
  readonly tests: readonly string[]
}

const WALK = 'test/conformance/walk.test.ts'
/** Of each command. */
const MOST_TESTS = 2
const ENGINE_TESTS = 'test/scenarios/first-apply.test.ts'

interface Sources {
  readonly files: ReadonlyMap<string, SourceFile>
  /** What a file imports as values, loaded on demand or not. */
  readonly imports: ReadonlyMap<string, readonly string[]>
  readonly uses: ReadonlyMap<string, ReadonlySet<string>>
}

/** All rows, in the order of the document. Reads the sources from the working folder. */
export function routeRows(): readonly RouteRow[] {
  const sources = readSources('src')
  const cliTests = readTexts('test/cli')
  const byKind = new Map(kinds.map((kind) => [kind.name, usedBy(sources, fileOfKind(sources, kind.name), isOfKind(sources))]))
  const byCommand = new Map(Object.keys(commandTable).map((name) => [name, usedBy(sources, fileOfCommand(sources, name), isOfCommand)]))
  // What keeps a session alive works beside every command.
  const shared = /^src\/(?:engine|api)\/|^src\/cli\/account\/session-keeper\.ts$/
  const ofEngine = new Set([...sources.uses].flatMap(([path, used]) => (shared.test(path) ? [...used] : [])))
  const answering = answeringFiles(sources)
  return Object.entries<Route>(routes).map(([name, { section, methods, path }]) => {
    const using = kinds.filter((kind) => byKind.get(kind.name)?.has(name))
    const commands = Object.keys(commandTable).filter((command) => byCommand.get(command)?.has(name))
    const sandbox = answering.get(name) ?? ''
    const engine = ofEngine.has(name)
    const direct = using.length === 0 && commands.length === 0 && !engine
    const tests = [
      ...(using.length > 0 ? [WALK] : []),
      ...(engine ? [ENGINE_TESTS] : []),
      ...commands.flatMap((command) => testsOf(cliTests, command).slice(0, MOST_TESTS)),
      ...testBeside(sandbox),
    ]
    return {
      name,
      section,
      call: `${methods.join(' or ')} ${path}`,
      kinds: using.filter((kind) => kind.managed).map((kind) => kind.name),
      lookups: using.filter((kind) => !kind.managed).map((kind) => kind.name),
      commands: direct ? ['api'] : commands,
      engine,
      sandbox,
      tests: [...new Set(tests)],
    }
  })
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

/** What commands are made of; of the engine only what a command asks for itself, since plans and applies share the rest. */
function isOfCommand(path: string, importer: string): boolean {
  if (path === 'src/cli/command-table.ts') return false
  return path.startsWith('src/cli/') || (path.startsWith('src/engine/') && importer.startsWith('src/cli/'))
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

function testBeside(path: string): readonly string[] {
  const [beside, folder] = [path.replace(/\.ts$/, '.test.ts'), posix.dirname(path)]
  if (path === '') return []
  const there = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  // What several files of an area answer may be tested in the first of them.
  const stem = posix.basename(path, '.ts').split('-')[0] ?? ''
  return there.includes(posix.basename(beside)) ? [beside] : there.filter((name) => name.startsWith(stem)).map((name) => `${folder}/${name}`)
}

/** Tests that run a command, those that run fewest others first: a story about it says more than a walk past all of them. */
function testsOf(texts: ReadonlyMap<string, string>, command: string): readonly string[] {
  const words = command.split(' ')
  const spoken = new RegExp(`['"\`]${words.join(String.raw`(?: |', ')`)}(?=['" \`])`)
  const others = Object.keys(commandTable)
  return [...texts]
    .filter(([path, text]) => path.endsWith('.test.ts') && spoken.test(text))
    .map(([path, text]) => ({ path, count: others.filter((name) => text.includes(`'${name.split(' ').join("', '")}'`) || text.includes(`'${name} `)).length }))
    .toSorted((a, b) => a.count - b.count || (a.path < b.path ? -1 : 1))
    .map((one) => one.path)
}
