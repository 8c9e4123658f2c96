// The inputs of the abuse catalogue, a hundred times as large: work grows with their size and no faster, and pauses all the while.
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/builders/long-form.ts'
import { manifest, optionsFor } from '../../test/builders/project.ts'
import { loadInTurns } from './load.ts'
import type { Loaded } from './load.ts'

const head = 'apiVersion: iac/v1\n'
const project = `${head}kind: Project\nname: p\n`
const many = (count: number, one: (at: number) => string) => Array.from({ length: count }, (_, at) => one(at)).join('')
const vpc = (name: string, more = '', metadata = '') => manifest('Vpc', name, `name: ${name}-net\ndescription: d\nrange: 10.0.0.0/24\n${more}`, metadata)
const web = (name: string, more = '') => manifest('Instance', name, `type: PLAN\nplan: ryzen-4\nregion: fra-1\n${more}`)
const keys = (count: number) => `${project}variables: {k: {type: list, default: [${many(count, (at) => `k${at},`)}]}}\n`

type Files = Readonly<Record<string, string>>
type Row = readonly [name: string, size: number, input: (size: number) => string | Files]

/** Sizes are ten times those of the catalogue's own tests; each is loaded at a tenth of it, too, and at ten times it. */
const rows: readonly Row[] = [
  ['B1 comments', 40_000, (size) => '# c\n'.repeat(size)],
  ['B1 comments in a document', 4000, (size) => `${head}${'# c\n'.repeat(size)}`],
  ['B2 lists at the root', 1000, (size) => `- {apiVersion: iac/v1}\n---\n`.repeat(size)],
  ['B3 declared twice', 300, (size) => many(size, () => vpc('main'))],
  ['B4 a key twice', 1000, (size) => vpc('main', 'range: 10.1.0.0/24\n'.repeat(size))],
  ['B5 tabs', 300, (size) => many(size, () => `---\n${head}kind: Vpc\nmetadata:\n\tname: x\n`)],
  ['B6 NUL', 1000, (size) => head + many(size, (at) => `k${at}: "a\\0b"\n`)],
  ['B7 homoglyphs', 300, (size) => many(size, (at) => vpc(`m\u0430in${at}`))],
  [
    'B7 directions in keys',
    1000,
    (size) =>
      vpc(
        'main',
        many(size, (at) => `k\u202e${at}: 1\n`),
      ),
  ],
  ['B8 aliases', 1000, (size) => `${head}a: &a [1]\nb: [${'*a,'.repeat(size)}]\n`],
  ['B8 a long text, by aliases', 100, (size) => manifest('K3sSecret', 'x', `data:\n  A: &a ${'x'.repeat(100_000)}\n${many(size, (at) => `  k${at}: *a\n`)}`)],
  ['B9 levels', 10_000, (size) => `${head}a: ${'['.repeat(size)}\n`],
  [
    'B10 keys',
    1000,
    (size) =>
      vpc(
        'main',
        many(size, (at) => `k${at}: 1\n`),
      ),
  ],
  ['B10 keys of a project', 1000, (size) => ({ 'iac.yaml': project + many(size, (at) => `k${at}: 1\n`) })],
  ['B10 keys of a project, on one line', 500, (size) => ({ 'iac.yaml': `{apiVersion: iac/v1, kind: Project, ${many(size, (at) => `k${at}: 1, `)}}\n` })],
  ['B10 variables', 500, (size) => ({ 'iac.yaml': `${project}variables:\n${many(size, (at) => `  k${at}: {typ: string}\n`)}` })],
  ['B10 a long line', 500, (size) => `{apiVersion: iac/v1, kind: Vpc, metadata: {name: x}, spec: {${many(size, (at) => `k${at}: 1, `)}}}\n`],
  [
    'B11 tags',
    500,
    (size) =>
      vpc(
        'main',
        many(size, (at) => `k${at}: !!binary aGk=\n`),
      ),
  ],
  ['B11 merge keys', 300, (size) => vpc('main', '<<: {a: 1}\n'.repeat(size))],
  ['B12 names of prototypes', 300, (size) => many(size, () => vpc('main', '__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\n'))],
  ['B13 kinds', 300, (size) => many(size, (at) => manifest('Vpcc', `v${at}`, ''))],
  ['B14 fields', 300, (size) => many(size, (at) => vpc(`v${at}`, 'rnge: x\n'))],
  ['B15 types', 1000, (size) => web('v', `ips: [${'1,'.repeat(size)}]\n`)],
  ['B16 numbers', 1000, (size) => web('v', `ips: [${'1e400,99999999999999999999,.nan,'.repeat(size)}]\n`)],
  ['B16 a long number', 40_000, (size) => web('v', `cpu: ${'9'.repeat(size)}\n`)],
  ['B17 names', 300, (size) => many(size, (at) => manifest('Vpc', `-${at}`, 'name: x'))],
  ['B17 a long name', 40_000, (size) => vpc('a'.repeat(size))],
  ['B18 references', 200, (size) => web('w', `vpcs: [${many(size, (at) => `v${at},`)}]\n`) + many(size, (at) => vpc(`w${at}`))],
  [
    'B19 a circle',
    200,
    (size) => many(size, (at) => manifest('Vpc', `v${at}`, `name: net-${at}\ndescription: \${Vpc['v${(at + 1) % size}'].id}\nrange: 10.0.0.0/24`)),
  ],
  [
    'B20 secrets in names',
    200,
    (size) => many(size, (at) => manifest('Vpc', `v${at}`, "name: ${sensitive('topsecret')}\\ndescription: d\\nrange: 10.0.0.0/24")),
  ],
  ['B21 expressions', 500, (size) => web('w', `os_name: "${'${x} '.repeat(size)}"\n`)],
  ['B21 never closed', 1000, (size) => web('w', `os_name: "${'${vars.x '.repeat(size)}"\n`)],
  ['B22 paths', 200, (size) => many(size, (at) => web(`w${at}`, `cloud_init: \${file('../../x${at}')}\n`))],
  ['B24 addresses in a project', 300, (size) => ({ 'iac.yaml': `${project}provider:\n${many(size, (at) => `  base_url${at}: x\n`)}` })],
  ['B27 secrets', 200, (size) => many(size, (at) => web(`w${at}`, 'os_name: "-----BEGIN OPENSSH PRIVATE KEY-----"\n'))],
  ['B29 a script', 40_000, (size) => web('w', `cloud_init: "${'\\r\\x07'.repeat(size)}"\n`)],
  ['B31 resources', 200, (size) => many(size, (at) => vpc(`v${at}`).replace(': d\n', at === 0 ? ': d\n' : `: "\${Vpc['v${at - 1}'].id}"\n`))],
  [
    'B31 rules',
    200,
    (size) =>
      web('w', 'cloud_init: x\n') +
      many(size, (at) => manifest('FirewallRule', `r${at}`, `instance: w\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\nport_start: ${at + 1}`)),
  ],
  ['B32 keys', 100, (size) => ({ 'iac.yaml': keys(size), 'a.yaml': vpc('main', '', 'for_each: ${vars.k}') })],
  ['B33 names in other letters', 200, (size) => many(size, (at) => vpc(`v${at}`) + vpc(`V${at}`))],
  ['a list of manifests in a broken project', 400_000, (size) => ({ 'iac.yaml': `${project}x: [\nmanifests:\n${'- a\n'.repeat(size)}` })],
  ['empty lines in a broken project', 1_500_000, (size) => ({ 'iac.yaml': `${project}x: [\nmanifests:\n${'\n'.repeat(size)}` })],
  [
    'moved and removed blocks',
    200,
    (size) => ({
      'iac.yaml': `${project}moved:\n${many(size, (at) => `  - {from: Vpc/a${at}, to: Vpc/v${at}}\n`)}removed:\n${many(size, (at) => `  - {address: Vpc/v${at}}\n`)}`,
      'a.yaml': many(size, (at) => vpc(`v${at}`)),
    }),
  ],
  [
    'environments',
    200,
    (size) => ({
      'iac.yaml': `${project}variables:\n${many(size, (at) => `  v${at}: {type: int, default: 1}\n`)}environments:\n${many(size, (at) => `  e${at}: {variables: {w${at}: 1}}\n`)}`,
    }),
  ],
  ['patterns', 300, (size) => ({ 'iac.yaml': `${project}manifests:\n${many(size, (at) => `  - "x${at}/*.yaml"\n`)}`, 'a.yaml': vpc('v') })],
]

const spentMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

interface Course {
  readonly loaded: Loaded
  readonly spentMs: number
  readonly longestMs: number // from one pause to the next
}

/** Loads with pauses; says how long all of it computed, and the longest piece. */
function course(input: string | Files): Course {
  const work = loadInTurns(optionsFor(input))
  const start = spentMs()
  let longestMs = 0
  for (let before = start; ;) {
    const step = work.next()
    const now = spentMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
    if (step.done === true) return { loaded: step.value, spentMs: now - start, longestMs }
  }
}

function toldLength({ loaded }: Course): number {
  return JSON.stringify(loaded.diagnostics).length
}

describe('a hundred times', () => {
  test.each(drawn(rows, 2, 'hundredfold', 20))('%s', { timeout: 120_000, tags: ['longer'] }, (_, size, input) => {
    const small = course(input(size))
    const large = course(input(size * 10))
    // Ten times the work would be right, a hundred times is quadratic; a short run says little.
    expect(large.spentMs).toBeLessThan(40 * Math.max(50, small.spentMs))
    expect(large.longestMs).toBeLessThan(2000)
    // What is wrong in ten times as many places is told ten times, in texts as short as before.
    expect(large.loaded.diagnostics.length).toBeLessThanOrEqual(10 * small.loaded.diagnostics.length + 10)
    expect(toldLength(large)).toBeLessThan(12 * Math.max(10_000, toldLength(small)))
    expect(toldLength(small)).toBeLessThan(1_000_000)
  })
})
