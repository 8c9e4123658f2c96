// A plan or drift without changes is told again as long as all that it was made from is the same; where anything of it differs, it is computed.
import { hash } from 'node:crypto'
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isObject, parseJson } from '../../src/base/json.ts'
import { keptRuns, markKept, TOLD } from '../builders/kept-runs.ts'
import { drawn } from '../builders/long-form.ts'
import { manifest } from '../builders/project.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'
import { testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const projectFile = `apiVersion: iac/v1
kind: Project
manifests: ["*.yaml", "net/*.yaml"]
variables:
  words: { type: string, default: a }
  other: { type: string, default: b }
environments: { staging: {} }
`
const vpc = (name: string, octet: number, description = 'net'): string =>
  manifest('Vpc', name, `name: ${name}\ndescription: ${description}\nrange: 10.0.${octet}.0/24`)
const manifests = [
  vpc('main', 0, `'\${vars.words} \${file("words.txt").trim()}'`),
  vpc('second', 1),
  manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\nvpcs: [main]'),
].join('')
const options = { build: 'one' }

interface Kept extends OperatingBench {
  readonly again: (words?: readonly string[], more?: Parameters<OperatingBench['run']>[1]) => Promise<Ran>
  readonly kept: () => readonly string[]
  /** Requests that were sent while something ran. */
  readonly during: (run: () => Promise<unknown>) => Promise<readonly string[]>
}

/** A project that was applied and planned; what is told again from here on is a text that no plan has. */
async function planned(words: readonly string[] = ['plan'], wanted = manifests): Promise<Kept> {
  const bench = await operatingBench('')
  const { folder, sandbox } = bench
  writeFileSync(join(folder, 'iac.yaml'), projectFile)
  writeFileSync(join(folder, 'words.txt'), 'of words\n')
  writeFileSync(join(folder, 'main.yaml'), wanted)
  expect(await bench.run(['apply', '--auto-approve'], options)).toMatchObject({ code: 0, stderr: expect.any(String) })
  const home = join(folder, 'home')
  const kept = (): readonly string[] => keptRuns(home)
  expect(kept()).toEqual([])
  expect(await bench.run(words, options)).toMatchObject({ code: 0 })
  expect(kept()).toHaveLength(1)
  markKept(home, sandbox.token)
  return {
    ...bench,
    kept,
    again: (given = words, more = {}) => bench.run(given, { ...options, ...more }),
    async during(run) {
      const sent: string[] = []
      sandbox.faults.hook = ({ operation, path }) => void sent.push(`${operation} ${path}`)
      await run()
      sandbox.faults.hook = undefined
      return sent.toSorted()
    },
  }
}

/** Calls the service as somebody else. */
async function elsewhere({ sandbox }: Kept, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
  const answer = await sandbox.handle({ method, path: `/v1${path}`, headers, ...(body && { body: JSON.stringify(body) }) })
  expect(answer.status).toBeLessThan(300)
  return answer
}

async function idOf(bench: Kept, kind: string, name: string): Promise<string> {
  const one = parseJson((await bench.run(['get', kind, name, '--json'])).stdout)
  return isObject(one) && typeof one['id'] === 'string' ? one['id'] : ''
}

type More = Parameters<OperatingBench['run']>[1]
interface Same {
  readonly words?: readonly string[]
  readonly more?: More
  readonly change?: (bench: Kept) => unknown
}

test.each<[string, Same]>([
  ['nothing', {}],
  ['a variable that nobody reads', { more: { environment: { EDITOR: 'ed' } } }],
  ['the time of a file', { change: ({ folder }) => utimesSync(join(folder, 'main.yaml'), 1, 1) }],
  ['the cache of manifests is gone', { change: ({ folder }) => rmSync(join(folder, 'home/.cache/iac/parsed'), { recursive: true }) }],
])('told again where nothing that counts differs: %s', async (_, { more, change }) => {
  const bench = await planned()
  await change?.(bench)
  expect(await bench.again(undefined, more)).toEqual({ code: 0, stdout: TOLD, stderr: '' })
  expect(await bench.again(undefined, more)).toEqual({ code: 0, stdout: TOLD, stderr: '' })
})

const write =
  (name: string, text: string) =>
  ({ folder }: Kept): void =>
    writeFileSync(join(folder, name), text)

const different: readonly (readonly [string, Same])[] = [
  ['a comment in a manifest', { change: ({ folder }) => appendFileSync(join(folder, 'main.yaml'), '# seen\n') }],
  ['a field of a manifest', { change: write('main.yaml', manifests.replace('description: net', 'description: nets')) }],
  ['a manifest that is new', { change: write('more.yaml', vpc('third', 2)) }],
  [
    'one in a folder that is new',
    {
      change: ({ folder }) => {
        mkdirSync(join(folder, 'net'))
        writeFileSync(join(folder, 'net/more.yaml'), vpc('third', 2))
      },
    },
  ],
  ['a folder that is new', { change: ({ folder }) => mkdirSync(join(folder, 'net')) }],
  ['a file that fits no pattern', { change: ({ folder }) => writeFileSync(join(folder, 'notes.txt'), 'x') }],
  ['a manifest that is gone', { change: ({ folder }) => rmSync(join(folder, 'main.yaml')) }],
  ['the project file', { change: write('iac.yaml', projectFile.replace('default: a', 'default: c')) }],
  ['what file() reads', { change: write('words.txt', 'of other words\n') }],
  ['a variable of the environment', { more: { environment: { IAC_VAR_words: 'c' } } }],
  ['a variable that no manifest uses', { more: { environment: { IAC_VAR_other: 'c' } } }],
  ['another variable that is read', { more: { environment: { IAC_SENSITIVE_VARS: 'words' } } }],
  ['the words of the command', { words: ['plan', '--var', 'words=c'] }],
  ['another environment', { words: ['plan', '-e', 'staging'] }],
  ['the selection', { words: ['plan', '--target', 'Vpc/second'] }],
  ['the width of a terminal', { more: { terminal: { columns: 40, rows: 20 } } }],
  ['colours', { more: { colours: true } }],
  ['another build of the program', { more: { build: 'two' } }],
  ['nothing tells the build', { more: { build: undefined } }],
  ['the day', { more: { clock: { ...testsClock, wall: () => testsClock.wall() + 86_500_000 } } }],
  ['a clock that was put back', { more: { clock: { ...testsClock, wall: () => testsClock.wall() - 86_500_000 } } }],
  ['it is switched off', { more: { environment: { IAC_PLAN_CACHE: 'off' } } }],
  ['it is switched off in another word', { more: { environment: { IAC_PLAN_CACHE: 'Disabled' } } }],
  ['another form', { words: ['plan', '--json'] }],
  ['the state, by another command', { change: (bench) => bench.run(['state', 'mv', 'Vpc/second', 'Vpc/third']) }],
  ['the state, forgetting an object', { change: (bench) => bench.run(['state', 'rm', 'Vpc/second']) }],
  ['a journal beside the state', { change: ({ folder }) => writeFileSync(join(folder, '.iac/state.json.journal.9'), 'x', { mode: 0o600 }) }],
  ['a state that is gone', { change: ({ folder }) => rmSync(join(folder, '.iac/state.json')) }],
  ['a folder that others may write to', { change: ({ folder }) => chmodSync(join(folder, '.iac'), 0o777) }],
  ['an object', { change: async (bench) => elsewhere(bench, 'PATCH', `/vpcs/${await idOf(bench, 'Vpc', 'second')}`, { description: 'other' }) }],
  ['an object that is gone', { change: async (bench) => elsewhere(bench, 'DELETE', `/vpcs/${await idOf(bench, 'Vpc', 'second')}`) }],
  [
    'an object of somebody else',
    {
      change: (bench) => elsewhere(bench, 'POST', `/workspaces/${bench.sandbox.workspaceId}/vpcs`, { name: 'theirs', description: 'x', range: '10.9.0.0/24' }),
    },
  ],
  ['a service that refuses once', { change: ({ sandbox }) => void (sandbox.faults.hook = ({ count }) => (count === 1 ? { status: 503 } : undefined)) }],
  ['what was kept is damaged', { change: ({ kept }) => appendFileSync(kept()[0] ?? '', ' ') }],
  ['others may write to what was kept', { change: ({ kept }) => chmodSync(kept()[0] ?? '', 0o666) }],
]

test.each(drawn(different, 12, 'what differs'))('computed where anything differs: %s', { tags: ['longer'] }, async (_, { words = ['plan'], more, change }) => {
  const bench = await planned()
  await change?.(bench)
  const now = await bench.again(words, more)
  bench.sandbox.faults.hook = undefined
  expect(now.stdout).not.toContain(TOLD)
  const computed = await bench.again(words, { ...more, environment: { ...more?.environment, IAC_PLAN_CACHE: 'off' } })
  const undated = (ran: Ran): Ran => ({ ...ran, stdout: ran.stdout.replace(/"(created_at|hash)": ".*"/g, '') })
  expect(undated(now)).toEqual(undated(computed))
})

test.each<[string, string, string]>([
  ['-f', 'manifests/one.yaml', vpc('main', 0)],
  ['--var-file', 'words.yaml', 'other: c\n'],
  ['--policy', 'policy.yaml', 'policies:\n  - { name: p, each: resource, assert: "it.kind == \'Vpc\'", message: no }\n'],
])('what %s names is read again', async (flag, name, text) => {
  const bench = await operatingBench('')
  const file = join(bench.folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(join(bench.folder, 'iac.yaml'), projectFile)
  writeFileSync(file, text)
  if (flag !== '-f') writeFileSync(join(bench.folder, 'main.yaml'), vpc('main', 0))
  expect(await bench.run(['apply', '--auto-approve', flag, name], options)).toMatchObject({ code: 0 })
  const plan = (): Promise<Ran> => bench.run(['plan', flag, name], options)
  expect(await plan()).toMatchObject({ code: 0 })
  markKept(join(bench.folder, 'home'), bench.sandbox.token)
  expect((await plan()).stdout).toBe(TOLD)
  appendFileSync(file, '# seen\n')
  expect((await plan()).stdout).not.toContain(TOLD)
})

test('a refused caller is not refused once for each question, and a wrong manifest is told although nothing is answered', async () => {
  const bench = await planned()
  const refused = async (environment = {}): Promise<number> => {
    let count = 0
    bench.sandbox.faults.hook = () => {
      count += 1
      return { status: 401 }
    }
    expect((await bench.again(['plan'], { environment })).code).toBe(4)
    return count
  }
  // As many as leave at once.
  expect(await refused()).toBeLessThanOrEqual(4 + (await refused({ IAC_PLAN_CACHE: 'off' })))
  bench.sandbox.faults.hook = () => ({ delayMs: 3_600_000 })
  write('main.yaml', manifests.replace('description: net', 'descriptions: net'))(bench)
  expect(await bench.again()).toMatchObject({ code: 3, stderr: expect.stringContaining('descriptions') })
})

test('no plan holds a state against what was live before it', async () => {
  const bench = await planned()
  // Another run goes on in the state that the project is to have from now on, after all was asked.
  renameSync(join(bench.folder, '.iac'), join(bench.folder, '.former'))
  write('iac.yaml', `${projectFile}state: { path: other.json }\n`)(bench)
  const computed = await bench.again(['plan'], { environment: { IAC_PLAN_CACHE: 'off' } })
  expect(computed.stdout).toContain('to add')
  expect(await bench.again()).toEqual(computed)
})

test('another caller, and another service, are asked themselves', async () => {
  const [bench, other] = [await planned(), await planned()]
  expect((await bench.again(['plan'], { token: 'tok-of-nobody' })).code).toBe(4)
  const moved = await bench.again(['plan'], { environment: { IAC_BASE_URL: other.url }, token: other.sandbox.token })
  expect(moved.stdout).not.toContain(TOLD)
})

test('everything is asked again, and what is answered otherwise is not asked twice', async () => {
  const bench = await planned()
  const all = await bench.during(() => bench.again(['plan'], { environment: { IAC_PLAN_CACHE: 'off' } }))
  expect(all.length).toBeGreaterThan(3)
  expect(await bench.during(() => bench.again())).toEqual(all)
  const once = async (): Promise<void> => {
    const sent = await bench.during(() => bench.again())
    expect(sent).toEqual([...new Set(sent)])
    // What there is to change needs more.
    expect(sent).toEqual(expect.arrayContaining([...all]))
  }
  await elsewhere(bench, 'PATCH', `/vpcs/${await idOf(bench, 'Vpc', 'second')}`, { description: 'other' })
  await once()
  writeFileSync(join(bench.folder, 'words.txt'), 'of other words\n')
  await once()
})

test('what was answered before the state changed is not used for a plan against the new one', async () => {
  const bench = await planned()
  const asked = new Set((await bench.during(() => bench.again())).map((one) => one.split(' ')[1]))
  expect(asked.size).toBeGreaterThan(3)
  // Another run of iac goes on while the first questions are answered.
  let isFirst = true
  bench.sandbox.faults.hook = () => {
    if (!isFirst) return undefined
    isFirst = false
    writeFileSync(join(bench.folder, '.iac/state.json.journal.9'), 'x', { mode: 0o600 })
    return undefined
  }
  writeFileSync(join(bench.folder, 'words.txt'), 'of other words\n')
  const sent: string[] = []
  const { hook } = bench.sandbox.faults
  bench.sandbox.faults.hook = (request) => {
    sent.push(request.path)
    return hook?.(request)
  }
  expect((await bench.again()).code).toBe(0)
  for (const path of asked) expect(sent.filter((one) => one === path)).toHaveLength(2)
})

test('drift is told again, too, and a plan is no drift', async () => {
  const bench = await planned(['drift'])
  expect((await bench.again(['drift'])).stdout).toBe(TOLD)
  expect((await bench.again(['plan'])).stdout).toContain('No changes')
  await elsewhere(bench, 'PATCH', `/vpcs/${await idOf(bench, 'Vpc', 'second')}`, { description: 'other' })
  expect(await bench.again(['drift'])).toMatchObject({ code: 2 })
  expect(await bench.again(['drift'])).toMatchObject({ code: 2 })
})

test.each<[string, readonly string[], string]>([
  ['a plan with changes', ['plan', '--target', 'Vpc/third'], manifests + vpc('third', 2)],
  ['what tells machines', ['plan', '--json'], manifests],
  ['what lists every call', ['plan', '--verbose'], manifests],
  ['what makes a file', ['plan', '--out', 'plan.bin'], manifests],
  [
    'a kind that looks at the clock',
    ['plan'],
    manifests + manifest('ApiToken', 'ci', 'name: ci\nlifetime: 30d\ngrants: { instances: READ }\nwrite_code_to: ../ci-token'),
  ],
])('nothing is kept of %s', async (_, words, wanted) => {
  const bench = await operatingBench('')
  writeFileSync(join(bench.folder, 'iac.yaml'), projectFile)
  writeFileSync(join(bench.folder, 'words.txt'), 'of words\n')
  writeFileSync(join(bench.folder, 'main.yaml'), wanted.replace(vpc('third', 2), ''))
  await bench.run(['apply', '--auto-approve'], options)
  writeFileSync(join(bench.folder, 'main.yaml'), wanted)
  await bench.run(words, options)
  expect(keptRuns(join(bench.folder, 'home'))).toEqual([])
})

test('no secret stands in what is kept', async () => {
  const bench = await planned(['plan', '--var', 'other=s3cret-of-words'])
  const text = readFileSync(bench.kept()[0] ?? '', 'utf8')
  expect(text).not.toContain(bench.sandbox.token)
  // Nor a digest of what a file says, by which it could be guessed.
  for (const name of ['words.txt', 'main.yaml', '.iac/state.json']) expect(text).not.toContain(hash('sha256', readFileSync(join(bench.folder, name))))
  expect(text).not.toContain('s3cret-of-words')
})
