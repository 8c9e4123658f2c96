// The house rules, held against every source file; and each rule against made-up sources, so that it is known to be able to fail.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mistakesIn } from '../.ci/map.mjs'
import { cycleProblems, importProblems } from './architecture/import-rules.ts'
import { castProblems, kindNameProblems, registryProblems } from './architecture/kind-rules.ts'
import { isPurePlace, processProblems, pureProblems } from './architecture/pure-rules.ts'
import { citationProblems, exportProblems, firstLineProblems, leftoverProblems, nameProblems, sizeProblems } from './architecture/shape-rules.ts'
import type { SourceFile } from './architecture/source-file.ts'
import { parseSource } from './architecture/source-file.ts'

const root = join(import.meta.dirname, '..')

function readSources(folder: string): SourceFile[] {
  if (!existsSync(join(root, folder))) return []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
  return names.filter((name) => name.endsWith('.ts')).map((name) => parseSource(name, readFileSync(join(root, name), 'utf8')))
}

describe('the sources', () => {
  const sources = readSources('src')
  const all = [...sources, ...readSources('test')]

  test('are found', () => {
    expect(all.map(({ path }) => path)).toEqual(expect.arrayContaining(['src/main.ts', 'src/base/json.ts', 'test/architecture.test.ts']))
    expect(sources.filter(({ path }) => isPurePlace(path)).length).toBeGreaterThan(4)
  })
  test.each([
    ['have names that say what they hold', ({ path }: SourceFile) => nameProblems(path)],
    ['begin with their duty', firstLineProblems],
    ['are short', sizeProblems],
    ['export names, one by one', exportProblems],
    ['leave nothing over', leftoverProblems],
    ['cite what stands here', (file: SourceFile) => citationProblems(file, (path) => existsSync(join(root, path)))],
  ])('%s', (_, rule) => {
    expect(all.flatMap(rule)).toEqual([])
  })
  test.each([
    ['import along the flow', importProblems],
    ['are pure where they should be', pureProblems],
    ['leave the process to main.ts', processProblems],
    ['of kinds need no cast', castProblems],
  ])('%s', (_, rule) => {
    expect(sources.flatMap(rule)).toEqual([])
  })
  test('import in no circle', () => {
    expect(cycleProblems(sources)).toEqual([])
  })
  test('of kinds are all in the registry, and named nowhere else', () => {
    expect([...registryProblems(sources), ...kindNameProblems(sources)]).toEqual([])
  })
})

/** Who reads files by itself although a plan comes by it, and why nothing of that has to be noted. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  'the noted files themselves': ['src/project/files/node-files.ts', 'src/cli/surroundings/project-files.ts'],
  'found anew by each run: the project, and who calls': ['src/cli/context/project-folder.ts', 'src/cli/surroundings/profiles.ts'],
  'checked anew by each run: where the state is, and whose': [
    'src/base/files/own-files.ts',
    'src/base/files/real-place.ts',
    'src/cli/storage/aws/profile.ts',
    'src/cli/storage/git-index.ts',
    'src/cli/storage/own-places.ts',
  ],
  'the state, which has a stamp': ['src/state/backends/local/file-system.ts', 'src/state/process-identity.ts'],
  'caches, with which nothing is lost': ['src/base/files/user-cache.ts'],
  'with flags alone by which a plan is computed, or never by a plan': [
    'src/cli/apply/github-actions.ts',
    'src/cli/apply/plan-file.ts',
    'src/cli/apply/written-files.ts',
    'src/cli/commands/sandbox/seed.ts',
    'src/cli/surroundings/handover.ts',
    'src/cli/surroundings/write-private.ts',
    'src/sandbox/store/persistence.ts',
  ],
  'names of files in reports, which no text for people has': ['src/cli/surroundings/repository.ts'],
}

// What is told again (src/cli/unchanged) is right only where every look at a file is noted.
test('what plans and looks for drift reads files through what it is given', () => {
  const byPath = new Map(readSources('src').map((file) => [file.path, file]))
  const reached = new Set(['src/cli/commands/planning/plan-project.ts', 'src/cli/commands/planning/find-drift.ts', 'src/cli/context/load-given.ts'])
  for (const path of reached)
    for (const { text } of byPath.get(path)?.imports ?? []) if (text.startsWith('.')) reached.add(posix.join(posix.dirname(path), text))
  const readers = [...reached].filter((path) => byPath.get(path)?.imports.some(({ text }) => /^node:fs|\/node-files\.ts$/.test(text)))
  expect(readers.toSorted()).toEqual(Object.values(otherwise).flat().toSorted())
})

test('a comment that cites a document from elsewhere is found', () => {
  const file = parseSource('src/a.ts', '// As kinds.md says.\n/** See schemas/reference/kinds.md. */\n')
  expect(citationProblems(file, (path) => path.startsWith('schemas/'))).toEqual(['src/a.ts:1: kinds.md is not in the repository'])
})

describe('imports', () => {
  const problemsOf = (path: string, specifier: string): string[] => importProblems(parseSource(path, `import { a } from '${specifier}'\n`))

  test.each([
    ['src/base/json.ts', './units.ts'],
    ['src/api/client.ts', '../base/json.ts'],
    ['src/api/client.ts', './routes/vpcs.ts'],
    ['src/kinds/vpc.ts', '../api/routes/vpcs.ts'],
    ['src/state/store.ts', '../kinds/definition/kind.ts'],
    ['src/project/load.ts', '../expressions/check.ts'],
    ['src/engine/plan/plan.ts', '../../state/record.ts'],
    ['src/engine/plan/plan.ts', '../model/diff.ts'],
    ['src/engine/plan/plan.ts', './checks/quota.ts'],
    ['src/engine/session.ts', './saved/saved-plan.ts'],
    ['src/state/backends/local/local-store.ts', '../../record.ts'],
    ['src/sandbox/server.ts', '../api/routes/vpcs.ts'],
    ['src/cli/commands/plan.ts', '../../sandbox/server.ts'],
    ['src/main.ts', './cli/program.ts'],
    ['src/main.ts', '../package.json'],
    ['src/library.ts', './engine/plan.ts'],
    ['src/engine/apply.test.ts', '../sandbox/server.ts'],
    ['src/engine/apply.test.ts', '../../test/builders/world.ts'],
    ['src/project/load.ts', 'yaml'],
  ])('%s may import %s', (path, specifier) => {
    expect(problemsOf(path, specifier)).toEqual([])
  })

  test.each([
    ['src/base/json.ts', '../api/client.ts'],
    ['src/base/json.ts', '../main.ts'],
    ['src/engine/model/diff/diff.ts', '../../plan/plan.ts'],
    ['src/engine/plan/checks/quota.ts', '../plan.ts'],
    ['src/engine/apply/apply.ts', '../session.ts'],
    ['src/engine/plan/plan.ts', '../rooms/diff.ts'],
    ['src/kinds/definition/kind.ts', '../vpc.ts'],
    ['src/state/record.ts', './backends/local/local-store.ts'],
    ['src/json.ts', './base/units.ts'],
    ['src/api/client.ts', '../kinds/definition/kind.ts'],
    ['src/expressions/check.ts', '../kinds/definition/kind.ts'],
    ['src/kinds/vpc.ts', '../expressions/check.ts'],
    ['src/kinds/vpc.ts', '../sandbox/server.ts'],
    ['src/kinds/vpc.test.ts', '../sandbox/server.ts'],
    ['src/sandbox/server.ts', '../kinds/vpc.ts'],
    ['src/sandbox/server.test.ts', '../kinds/vpc.ts'],
    ['src/sandbox/server.ts', '../api/client.ts'],
    ['src/state/store.ts', '../project/load.ts'],
    ['src/project/load.ts', '../engine/plan.ts'],
    ['src/engine/plan/plan.ts', '../../cli/render/text.ts'],
    ['src/engine/plan/plan.ts', '../../sandbox/server.ts'],
    ['src/engine/plan.test.ts', '../cli/render/text.ts'],
    ['src/cli/program.ts', '../main.ts'],
    ['src/main.ts', './engine/plan.ts'],
    ['src/engine/plan/plan.ts', './plan.test.ts'],
    ['src/engine/plan/plan.ts', '../../../test/builders/world.ts'],
    ['src/engine/plan/plan.ts', './diff'],
    ['src/engine/plan/plan.ts', './diff.js'],
    ['src/engine/plan/plan.ts', '../tools/diff.ts'],
    ['src/tools/diff.ts', './other.ts'],
  ])('%s must not import %s', (path, specifier) => {
    expect(problemsOf(path, specifier)).toHaveLength(1)
  })

  test('count in every form', () => {
    const forms = [
      "import type { A } from '../cli/a.ts'",
      "export { a } from '../cli/a.ts'",
      "export * from '../cli/a.ts'",
      "await import('../cli/a.ts')",
      "import '../cli/a.ts'",
    ]
    for (const form of forms) expect(importProblems(parseSource('src/api/x.ts', form))).toEqual(['src/api/x.ts:1: api must not import src/cli/a.ts'])
  })

  test('in a circle are found, once', () => {
    const a = parseSource('src/api/a.ts', "import { b } from './b.ts'")
    const b = parseSource('src/api/b.ts', "import type { C } from './routes/c.ts'")
    const c = parseSource('src/api/routes/c.ts', "export { a } from '../a.ts'")
    expect(cycleProblems([a, b, c])).toEqual(['src/api/a.ts → src/api/b.ts → src/api/routes/c.ts → src/api/a.ts'])
    expect(cycleProblems([a, b])).toEqual([])
  })
})

describe('shape', () => {
  const parse = (text: string, path = 'src/engine/x.ts'): SourceFile => parseSource(path, text)

  test.each([
    'src/engine/Plan.ts',
    'src/engine/save_plan.ts',
    'src/index.ts',
    'src/utils/a.ts',
    'src/api/helpers.ts',
    'test/common.test.ts',
    'src/engine/plan.spec.ts',
  ])('%s is no name', (path) => {
    expect(nameProblems(path)).toHaveLength(1)
  })
  test.each(['src/engine/save-plan.ts', 'src/base/json.test.ts', 'src/kinds/k3s-node.ts'])('%s is a name', (path) => {
    expect(nameProblems(path)).toEqual([])
  })

  test.each(['const a = 1', '/** A block. */', '// no sentence', '//Tight and long.', '// Short.', ''])('%j is no first line', (text) => {
    expect(firstLineProblems(parse(text))).toHaveLength(1)
  })
  test.each(['// Says what is here.\nconst a = 1', '#!/usr/bin/env node\n// Says what is here.\n'])('%j is one', (text) => {
    expect(firstLineProblems(parse(text))).toEqual([])
  })

  test('counts lines of files and kinds', () => {
    const kind = "export const A = defineKind({ name: 'A' })\n"
    expect(sizeProblems(parse('\n'.repeat(400)))).toEqual([])
    expect(sizeProblems(parse('\n'.repeat(401)))).toEqual(['src/engine/x.ts: 401 lines, 400 are the most'])
    expect(sizeProblems(parse(kind + '\n'.repeat(199)))).toEqual([])
    expect(sizeProblems(parse(kind + '\n'.repeat(200)))).toEqual(['src/engine/x.ts: 201 lines, 200 are the most'])
    expect(sizeProblems(parse('\n'.repeat(201), 'src/kinds/vpc-checks.ts'))).toHaveLength(1)
  })

  test('counts lines of functions of every form', () => {
    const inside = (lines: number): string => '\n'.repeat(lines - 1)
    expect(sizeProblems(parse(`function f() {${inside(70)}}`))).toEqual([])
    expect(sizeProblems(parse(`\nfunction f() {${inside(71)}}`))).toEqual(['src/engine/x.ts:2: a function of 71 lines, 70 are the most'])
    expect(sizeProblems(parse(`const f = () => {${inside(71)}}`))).toHaveLength(1)
    expect(sizeProblems(parse(`const o = { f() {${inside(71)}} }`))).toHaveLength(1)
    expect(sizeProblems(parse(`class C { f() {${inside(71)}} }`))).toHaveLength(1)
    expect(sizeProblems(parse(`test('x', () => {${inside(71)}})`))).toHaveLength(1)
    expect(sizeProblems(parse(`describe('x', () => {${inside(71)}})`))).toEqual([])
    expect(sizeProblems(parse(`describe.each([1])('x', () => {${inside(71)}})`))).toEqual([])
  })

  test.each([
    'export default 1',
    'const a = 1\nexport { a as default }',
    "export * from './a.ts'\nexport const b = 1",
    "export { a } from './a.ts'\nexport type { B } from './b.ts'",
  ])('%j is no way to export', (text) => {
    expect(exportProblems(parse(text))).toHaveLength(1)
  })
  test('lets tools have their default, and the library its list', () => {
    expect(exportProblems(parse('export default {}', '.config/vitest.config.ts'))).toEqual([])
    expect(exportProblems(parse("export { a } from './a.ts'", 'src/library.ts'))).toEqual([])
    expect(exportProblems(parse("export * from './a.ts'", 'src/library.ts'))).toHaveLength(1)
    expect(exportProblems(parse("export { a } from './a.ts'\nexport const b = 1"))).toEqual([])
  })

  test('finds what is left over', () => {
    expect(leftoverProblems(parse('const a: any = 1\n// TODO: more\nconst b = "any"'))).toEqual([
      'src/engine/x.ts:1: any',
      'src/engine/x.ts:2: a note of work that is left',
    ])
  })
})

describe('purity', () => {
  const problemsOf = (text: string, path = 'src/engine/model/diff/diff.ts'): string[] => pureProblems(parseSource(path, text))

  test.each([
    'async function f() {}',
    'const f = async () => 1',
    'await f()',
    "import('./a.ts')",
    'Date.now()',
    'new Date()',
    'Date()',
    'const D = Date',
    'Math.random()',
    'performance.now()',
    'new Promise(f)',
    'setTimeout(f, 1)',
    'fetch(url)',
    'crypto.randomUUID()',
    'globalThis.crypto',
    "import { readFileSync } from 'node:fs'",
    "import { readFile } from 'fs/promises'",
    "import { randomUUID } from 'node:crypto'",
    "import * as crypto from 'node:crypto'",
    "import { request } from 'undici'",
  ])('%j is impure', (text) => {
    expect(problemsOf(text).length).toBeGreaterThan(0)
  })

  test.each([
    'Date.parse(text)',
    'new Date(ms).toISOString()',
    'value instanceof Date',
    'const day: Date = f()',
    'type Later = Promise<string>',
    "import { createHash } from 'node:crypto'",
    "import { isIP } from 'node:net'",
    'Math.max(1, 2)',
    'const a = { Date: 1, fetch: 2 }',
    'a.fetch + a.process',
  ])('%j is pure', (text) => {
    expect(problemsOf(text)).toEqual([])
  })

  test.each([
    'src/engine/model/diff/diff.ts',
    'src/engine/plan/order.ts',
    'src/engine/apply/schedule.ts',
    'src/cli/render/plan/text.ts',
    'src/expressions/check.ts',
    'src/base/json.ts',
    'src/base/cidr.ts',
    'src/base/units.ts',
    'src/base/address.ts',
  ])('%s must be pure', (path) => {
    expect(problemsOf('Math.random()', path)).toEqual([`${path}:1: Math.random in a pure file`])
  })
  test.each(['src/engine/apply/apply.ts', 'src/cli/commands/plan.ts', 'src/base/clock.ts', 'src/engine/diff.test.ts'])('%s need not be', (path) => {
    expect(problemsOf('Math.random()', path)).toEqual([])
  })

  test.each(['process.env.X', "import { env } from 'node:process'", 'globalThis.process.exit(1)', 'const { argv } = process', 'f({ process })'])(
    '%j touches the process',
    (text) => {
      expect(processProblems(parseSource('src/cli/x.ts', text)).length).toBeGreaterThan(0)
      expect(processProblems(parseSource('src/main.ts', text))).toEqual([])
    },
  )
  test.each(['a.process()', 'const a = { process: 1 }', "'process'"])('%j does not', (text) => {
    expect(processProblems(parseSource('src/cli/x.ts', text))).toEqual([])
  })
})

describe('kinds', () => {
  const vpc = parseSource('src/kinds/vpc.ts', "export const Vpc = defineKind({ about: 'x', name: 'Vpc' })")
  const disk = parseSource('src/kinds/disk.ts', "export const Disk = defineKind({ name: 'Disk' })")
  const registryOf = (text: string): SourceFile => parseSource('src/kinds/registry.ts', text)
  const both = registryOf("import { Vpc } from './vpc.ts'\nimport { Disk } from './disk.ts'\nexport const kinds = Object.freeze([Disk, Vpc])")

  test('stand in the registry, one by one', () => {
    expect(registryProblems([vpc, disk, both])).toEqual([])
    expect(registryProblems([])).toEqual([])
    expect(registryProblems([vpc])).toEqual(['src/kinds/registry.ts: is missing'])
    expect(registryProblems([vpc, both])).toEqual(['src/kinds/registry.ts: lists Disk, which no file beside it defines'])
    expect(registryProblems([vpc, disk, registryOf("import { Vpc } from './vpc.ts'\nexport const kinds = [Vpc]")])).toEqual([
      'src/kinds/registry.ts: lacks Disk of src/kinds/disk.ts',
    ])
    expect(registryProblems([vpc, registryOf("import { Vpc } from './vpc.ts'\nexport const kinds = [Vpc, Vpc]")])).toEqual([
      'src/kinds/registry.ts: lists Vpc twice',
    ])
    expect(registryProblems([vpc, registryOf("import { Vpc } from './other.ts'\nexport const kinds = [Vpc]")])).toEqual([
      'src/kinds/registry.ts: lacks Vpc of src/kinds/vpc.ts',
    ])
  })

  test.each([
    "if (kind === 'Vpc') f()",
    "f('Vpc/main')",
    'f(`Vpc/${name}`)',
    'f(`Vpc ${id}`)',
    'f(Vpc)',
    'export { Vpc as network }',
    "import { Vpc as network } from '../kinds/vpc.ts'",
  ])('%j names one', (text) => {
    for (const path of ['src/engine/x.ts', 'src/cli/x.ts', 'src/x.ts']) {
      expect(kindNameProblems([vpc, parseSource(path, path === 'src/x.ts' ? text.replace('../', './') : text)])).toHaveLength(1)
    }
    for (const path of ['src/kinds/x.ts', 'src/sandbox/x.ts', 'src/engine/x.test.ts']) expect(kindNameProblems([vpc, parseSource(path, text)])).toEqual([])
  })
  test.each([
    "f('a Vpc is a network')",
    "f('plan --target Vpc/main')",
    'type A = Vpc',
    "export type { Vpc } from './a.ts'",
    "export { type Vpc } from './a.ts'",
    'a.Vpc',
    "import { kinds } from '../kinds/registry.ts'",
    'interface Vpc { a: 1 }',
  ])('%j names none', (text) => {
    expect(kindNameProblems([vpc, both, parseSource('src/engine/x.ts', text)])).toEqual([])
  })

  test.each(['a as string', 'a!', 'a as unknown', 'f(<string>a)'])('%j is a cast', (text) => {
    expect(castProblems(parseSource('src/kinds/vpc.ts', text))).toHaveLength(1)
    expect(castProblems(parseSource('src/engine/x.ts', text))).toEqual([])
  })
  test.each(['[1] as const', 'a satisfies string', "import { a as b } from './a.ts'", 'const a: string = f<string>()'])('%j is none', (text) => {
    expect(castProblems(parseSource('src/kinds/vpc.ts', text))).toEqual([])
  })
})

test('what is no TypeScript is no source', () => {
  expect(() => parseSource('src/x.ts', 'const = 1')).toThrow('src/x.ts')
})

test('a folder without a sentence in the map is told with what to do, and so is a sentence without a folder', () => {
  expect(mistakesIn('src', ['base', 'state', 'old'], ['base', 'state/backends/shelf'])).toEqual([
    'src/state/backends/shelf has no sentence: write one in .ci/map.mjs',
    'src/old holds nothing: take its sentence out of .ci/map.mjs',
  ])
})
