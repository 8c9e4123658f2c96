// Which room may import which, and that imports never run in a circle.
import { posix } from 'node:path'
import type { SourceFile } from './source-file.ts'

interface Room {
  readonly level: number
  readonly imports: readonly string[]
}

const LEAF = { level: 0, imports: [] }
const LIBRARY = ['api/routes', 'api', 'expressions', 'kinds', 'state', 'project', 'engine', 'sandbox', 'cli']

/** The rooms: how far up the flow, and what each imports beside itself and `base`. */
const rooms: Readonly<Record<string, Room>> = {
  base: LEAF,
  'api/routes': { level: 1, imports: ['api'] },
  api: { level: 1, imports: ['api/routes'] },
  expressions: { level: 2, imports: ['api', 'api/routes'] },
  kinds: { level: 2, imports: ['api', 'api/routes'] },
  sandbox: { level: 2, imports: ['api/routes'] },
  state: { level: 3, imports: ['kinds', 'expressions', 'api', 'api/routes'] },
  project: { level: 3, imports: ['kinds', 'expressions', 'api', 'api/routes'] },
  engine: { level: 4, imports: ['project', 'state', 'kinds', 'expressions', 'api', 'api/routes'] },
  cli: { level: 5, imports: ['engine', 'project', 'state', 'kinds', 'expressions', 'api', 'api/routes', 'sandbox'] },
  main: { level: 6, imports: ['cli'] },
  launch: { level: 6, imports: [] },
  'launch-executable': { level: 6, imports: [] },
  library: { level: 6, imports: LIBRARY },
}

/** Folders within a room, in the order of the flow: each imports itself and those before it. `.` is the room's own level; folders of a folder that is named go with it. */
const flows: Readonly<Record<string, readonly string[]>> = {
  api: ['transport', 'calls', 'answers', '.', 'workflows'],
  kinds: ['definition', '.'],
  project: ['findings', 'files', 'yaml', 'resolving', 'configuration', 'declarations', '.'],
  state: ['.', 'lease', 'backends', 'delivery'],
  engine: ['model', 'refresh', 'plan/checks', 'plan', 'operation', 'recover', 'apply', 'saved', '.'],
  cli: [
    'render/text',
    'render/plan',
    'render/drawing',
    'render/progress',
    'render',
    'render/formats',
    'arguments',
    'surroundings',
    'storage',
    'sandbox',
    'account',
    'context',
    'unchanged',
    'apply',
    'operating',
    'export',
    'console',
    'documents',
    'forges',
    'commands',
    '.',
  ],
}

/** How far along the flow of its room a file stands: -1 for a folder that the flow does not name. */
function floorOf(path: string, flow: readonly string[]): number {
  const folder = path.split('/').slice(2, -1).join('/') || '.'
  const at = (name: string): boolean => folder === name || folder.startsWith(`${name}/`)
  const longest = flow.filter(at).toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined ? -1 : flow.indexOf(longest)
}

/** The room that a file stands in: undefined for a folder that the design does not have. */
function roomOf(path: string): string | undefined {
  const [top, folder, ...rest] = path.split('/')
  if (path === 'package.json') return 'base'
  if (top === 'test') return 'test'
  if (top !== 'src' || folder === undefined) return undefined
  if (rest.length === 0) return /^(?:launch|launch-executable|main|library)(?=\.ts$)/.exec(folder)?.[0]
  const room = folder === 'api' && rest[0] === 'routes' ? 'api/routes' : folder
  const flow = flows[room]
  if (!Object.hasOwn(rooms, room) || (flow !== undefined && floorOf(path, flow) < 0)) return undefined
  return room
}

/** Imports that run against the flow, and paths that are not written in full. */
export function importProblems(file: SourceFile): string[] {
  const from = roomOf(file.path)
  if (from === undefined) return [`${file.path}: stands in no room of the design`]
  const problems: string[] = []
  for (const { text, line } of file.imports) {
    if (!text.startsWith('.')) continue
    const target = resolveImport(file.path, text)
    const to = roomOf(target)
    if (!/\.(?:ts|json)$/.test(text)) problems.push(`${file.path}:${line}: ${text} does not end in .ts`)
    else if (to === undefined || !mayImport(file.path, from, target, to)) problems.push(`${file.path}:${line}: ${from} must not import ${target}`)
  }
  return problems
}

/** One circle of imports per knot, as `a → b → a`; type imports count, too. */
export function cycleProblems(files: readonly SourceFile[]): string[] {
  const targets = new Map(files.map((file) => [file.path, localTargets(file)]))
  const done = new Set<string>()
  const problems: string[] = []
  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path)
    if (start >= 0) problems.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return problems
}

function localTargets(file: SourceFile): Set<string> {
  return new Set(file.imports.filter(({ text }) => text.startsWith('.')).map(({ text }) => resolveImport(file.path, text)))
}

/** The path, from the project's root, that a relative import means. */
export function resolveImport(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier)
}

function isTest(path: string): boolean {
  return path.startsWith('test/') || path.endsWith('.test.ts')
}

function mayImport(path: string, from: string, target: string, to: string): boolean {
  if (from === 'test') return true
  if (isTest(path)) return to === 'test' || mayTestImport(from, to)
  if (isTest(target)) return false
  const flow = flows[from]
  if (to === from && flow !== undefined) return floorOf(target, flow) <= floorOf(path, flow)
  return to === from || to === 'base' || (rooms[from] ?? LEAF).imports.includes(to)
}

/** A test beside its unit may use all that lies below; kinds and sandbox stay apart even there. */
function mayTestImport(from: string, to: string): boolean {
  const [own, other] = [rooms[from] ?? LEAF, rooms[to] ?? LEAF]
  return to === from || other.level < own.level || own.imports.includes(to)
}
