// The built program as a process: streams that end early, signals, the token, and what is loaded.
import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { constants } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { markKept, TOLD } from '../builders/kept-runs.ts'
import { drawn } from '../builders/long-form.ts'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli } from './run-cli.ts'

const program = join(import.meta.dirname, '../../dist/main.js')
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function start(words: readonly string[], options: { readonly folder: string; readonly environment?: Readonly<Record<string, string>> }): ChildProcess {
  const { PATH = '' } = process.env
  return spawn(process.execPath, [program, ...words], { cwd: options.folder, env: { PATH, HOME: options.folder, ...options.environment } })
}

/** Lines of a shell, in which `iac` is the program. */
async function shell(folder: string, lines: string): Promise<Ended> {
  const { PATH = '' } = process.env
  const iac = `iac() { '${process.execPath}' '${program}' "$@"; }`
  return await ended(spawn('sh', ['-c', `${iac}\n${lines}`], { cwd: folder, env: { PATH, HOME: folder } }))
}

async function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr }
}

/** Resolves once the child has printed the text on standard output. */
function printed(child: ChildProcess, text: string): Promise<string> {
  let all = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      all += String(chunk)
      if (all.includes(text)) resolve(all)
    })
    child.on('close', () => reject(new Error(`ended without ${text}: ${all}`)))
  })
}

async function newProject(): Promise<string> {
  const folder = newFolder()
  await runCli(['init'], { folder })
  return folder
}

const stops = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const
const unwritten = [
  ['version', 1],
  ['schema Vpc', 1],
  ['state pull --sandbox', 1],
  ['plan --sandbox --destroy --json --detailed-exitcode', 1],
  ['apply --sandbox --auto-approve', 1],
  ['schema Vcp', 3],
] as const
const palettes: readonly (readonly [environment: Readonly<Record<string, string>>, coloured: boolean])[] = [
  [{}, false],
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [{ FORCE_COLOR: '0' }, false],
]

describe('the process', () => {
  test('prints its version without loading the program', async () => {
    const folder = newFolder()
    expect(await ended(start(['version'], { folder }))).toEqual({ code: 0, stdout: `iac ${version}\n`, stderr: '' })
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      `process.argv = ['node', 'iac', 'version']; await import(${JSON.stringify(program)}); const { getHeapStatistics } = await import('node:v8'); console.log(getHeapStatistics().used_heap_size)`,
    ])
    expect(Number(stdout.trim().split('\n').at(-1))).toBeLessThan(12_000_000)
  })

  test('prints nothing of what it reads for a variable that a library heeds', async () => {
    const folder = await newProject()
    const logging = { LOG_TOKENS: '1', LOG_STREAM: '1' }
    expect(await ended(start(['validate'], { folder, environment: logging }))).toEqual(await ended(start(['validate'], { folder })))
  })

  test('goes on when nobody reads what it prints', async () => {
    const folder = await newProject()
    const child = start(['apply', '--sandbox', '--auto-approve'], { folder })
    child.stdout?.destroy()
    child.stderr?.destroy()
    expect((await ended(child)).code).toBe(0)
    expect((await runCli(['state', 'list', '--sandbox'], { folder })).stdout).toBe('Vpc/main\n')
  })

  test.each(drawn(unwritten, 2, 'what cannot be written'))(
    'tells that what `iac %s` prints could not be written, and ends with %i',
    { tags: ['longer'] },
    async (words, code) => {
      const folder = await newProject()
      await runCli(['apply', '--sandbox', '--auto-approve'], { folder })
      const full = await shell(folder, `iac ${words} >/dev/full`)
      expect(full.code).toBe(code)
      if (code === 1) expect(full.stderr).toMatch(/^error: standard output cannot be written \(ENOSPC\)\n$/m)
      expect(full.stderr).not.toContain('    at ')
    },
  )

  test('tells of a file that takes a part of what is written', async () => {
    const folder = newFolder()
    const cut = await shell(folder, `trap '' XFSZ; ulimit -f 1; iac schema >part.json`)
    expect([cut.code, cut.stderr]).toEqual([1, 'error: standard output cannot be written (EFBIG)\n'])
    expect((await shell(folder, 'iac schema Vpc >whole.json')).code).toBe(0)
    expect(JSON.parse(readFileSync(join(folder, 'whole.json'), 'utf8'))).toHaveProperty('properties')
  })

  test('carries an apply to its end although nothing that it prints can be written', async () => {
    const folder = await newProject()
    expect((await shell(folder, 'iac apply --sandbox --auto-approve >/dev/full')).code).toBe(1)
    expect((await runCli(['state', 'list', '--sandbox'], { folder })).stdout).toBe('Vpc/main\n')
  })

  test.each(['version', 'schema'])('ends `iac %s` quietly where its reader has gone', async (words) => {
    expect(await shell(newFolder(), `{ iac ${words}; echo $? >code; } | true; cat code`)).toEqual({ code: 0, stdout: '0\n', stderr: '' })
  })

  test('says that its working folder was removed, and needs none for what needs none', async () => {
    const gone = await shell(newFolder(), 'mkdir gone && cd gone && rmdir ../gone && iac plan')
    const text = 'error: the working folder does not exist any more\n  hint: change to a folder that is there\n'
    expect(gone).toEqual({ code: 3, stdout: '', stderr: expect.stringContaining(text) })
    expect(gone.stderr).not.toContain('    at ')
    expect(await shell(newFolder(), 'mkdir gone && cd gone && rmdir ../gone && iac version && iac --help')).toMatchObject({ code: 0, stderr: '' })
  })

  test('takes its answer from a pipe', async () => {
    const folder = await newProject()
    const child = start(['apply', '--sandbox'], { folder })
    child.stdin?.end('yes\n')
    expect(await ended(child)).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply complete!') })
    const refused = start(['destroy', '--sandbox'], { folder })
    refused.stdin?.end('')
    expect((await ended(refused)).code).toBe(1)
  })

  test('asks nothing where its input holds the manifests, and reads none of it', async () => {
    const folder = await newProject()
    const child = start(['apply', '-f', '-', '--sandbox'], { folder })
    expect(await ended(child)).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('standard input holds the manifests') })
    const approved = start(['apply', '-f', '-', '--sandbox', '--auto-approve'], { folder })
    approved.stdin?.end('apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: piped }\nspec: { name: piped, description: d, range: 10.9.0.0/24 }\n')
    expect(await ended(approved)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') })
  })

  test.each(drawn(stops, 1, 'signals while it asks'))(
    'ends by %s with %i while it asks, and gives the lock back',
    { tags: ['longer'] },
    async (signal, code) => {
      const folder = await newProject()
      const child = start(['apply', '--sandbox'], { folder })
      const end = ended(child)
      await printed(child, 'Plan: 1 to add')
      await new Promise((resolve) => setTimeout(resolve, 100))
      child.kill(signal)
      expect((await end).code).toBe(code)
      expect((await ended(start(['apply', '--sandbox', '--auto-approve'], { folder }))).code).toBe(0)
    },
  )

  test.each(drawn(stops, 1, 'signals while it loads'))('ends by %s with %i while it loads what takes minutes', { tags: ['longer'] }, async (signal, code) => {
    const folder = newFolder()
    const keys = Array.from({ length: 2000 }, (_, at) => `k${at}`).join(',')
    writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: slow\nvariables: { k: { type: list, default: [${keys}] } }\n`)
    const spec = 'name: "net-${each.key}"\n  range: 10.9.0.0/24\n  description: "${string(vars.k.map(x, vars.k.map(y, x == y)).size())}"'
    writeFileSync(join(folder, 'a.yaml'), `apiVersion: iac/v1\nkind: Vpc\nmetadata:\n  name: main\n  for_each: "\${vars.k}"\nspec:\n  ${spec}\n`)
    const child = start(['validate'], { folder })
    const end = ended(child)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const before = performance.now()
    child.kill(signal)
    expect(await end).toEqual({ code: null, stdout: '', stderr: '' })
    // What a shell says of who was ended by a signal.
    expect([child.signalCode, 128 + constants.signals[signal]]).toEqual([signal, code])
    // A second where nothing else runs; without turns it is the rest of the minutes.
    expect(performance.now() - before).toBeLessThan(10_000)
  })

  const loading = stops.flatMap(([signal]) => ['validate', 'plan'].map((command) => [signal, command] as const))
  test.each(drawn(loading, 1, 'signals in a document'))(
    'ends by %s at once in the middle of a document that takes long without a pause: %s',
    { tags: ['longer'] },
    async (signal, command) => {
      const folder = newFolder()
      // Composed in one piece: nothing in the program hears a signal meanwhile.
      const text = `apiVersion: iac/v1\nkind: Vpc\nmetadata: {name: a}\nspec: {a: [${'1,'.repeat(490_000)}]}\n`
      writeFileSync(join(folder, 'a.yaml'), `${text}---\n`.repeat(7))
      // Nobody listens there.
      const child = start([command], { folder, environment: { IAC_BASE_URL: 'http://127.0.0.1:9', IAC_TOKEN: 'tok' } })
      const end = ended(child)
      await new Promise((resolve) => setTimeout(resolve, signal === 'SIGINT' ? 1700 : 1000))
      const before = performance.now()
      child.kill(signal)
      expect(await end).toEqual({ code: null, stdout: '', stderr: '' })
      expect(performance.now() - before).toBeLessThan(3000)
    },
  )

  test('keeps the token out of what it prints and of its children', async () => {
    const folder = await newProject()
    const token = 'canary-7f3a9c'
    let seen = ''
    const server = createServer(({ headers: { authorization = '' } }, answer) => {
      seen = authorization
      answer.writeHead(400, { 'x-message': `what is ${authorization}?` }).end()
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    const environment = { IAC_BASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, IAC_TOKEN: token }
    const ran = await ended(start(['api', 'POST', '/v1/workspaces', '-f', 'name=test', '--verbose'], { folder, environment }))
    server.close()
    expect([seen, ran.code]).toEqual([`Bearer ${token}`, 1])
    expect(ran.stderr).toContain('what is')
    expect(ran.stdout + ran.stderr).not.toContain(token)
  })

  test('keeps what begins with IAC_ out of its environment, once it was read', async () => {
    const folder = await newProject()
    const told = `data:text/javascript,process.on('exit',()=>process.stderr.write('left:'+Object.keys(process.env).filter((name)=>/^IAC_|^PGPASS|^NODE_PG/.test(name))))`
    const secrets = { IAC_STATE_KEY: 'canary', IAC_VAR_db: 'canary', IAC_TOKEN: 'canary', PGPASSWORD: 'canary', NODE_PG_FORCE_NATIVE: '1' }
    const ran = await ended(start(['plan', '--sandbox'], { folder, environment: { ...secrets, NODE_OPTIONS: `--import ${told}` } }))
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/left:$/)])
  })

  test.each(drawn(palettes, 2, 'what colours'))('is coloured by %j: %s', { tags: ['longer'] }, async (environment, coloured) => {
    const folder = await newProject()
    const ran = await ended(start(['plan', '--sandbox'], { folder, environment }))
    expect(ran.code).toBe(0)
    expect(ran.stdout.includes('\u001b[')).toBe(coloured)
    const plain = await ended(start(['plan', '--sandbox', '--no-color'], { folder, environment }))
    expect(plain.stdout).not.toContain('\u001b')
  })

  test('tells a plan that found nothing to change again', async () => {
    const { folder, url, sandbox } = await operatingBench(manifest('Vpc', 'main', 'name: main\ndescription: net\nrange: 10.0.0.0/24'))
    const environment = { IAC_BASE_URL: url, IAC_TOKEN: sandbox.token }
    const plan = (): Promise<Ended> => ended(start(['plan'], { folder, environment }))
    const computed = await plan()
    expect(computed).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes.') })
    expect(await plan()).toEqual(computed)
    markKept(folder, sandbox.token)
    expect(await plan()).toEqual({ code: 0, stdout: TOLD, stderr: '' })
  })

  test('serves a sandbox until it is stopped, whose address others find', async () => {
    const folder = await newProject()
    writeFileSync(
      join(folder, 'seed.yaml'),
      'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: seeded }\nspec: { name: seeded, description: from the seed, range: 10.9.0.0/24 }\n',
    )
    const child = start(['sandbox', '--json', '--seed', 'seed.yaml', '--profile', 'instant'], { folder })
    const end = ended(child)
    const { url, token } = JSON.parse(await printed(child, '}\n'))
    const environment = { IAC_BASE_URL: url, IAC_TOKEN: token }
    const vpcs = await ended(start(['get', 'vpcs', '--json'], { folder, environment }))
    expect(JSON.parse(vpcs.stdout)).toMatchObject([{ name: 'seeded' }])
    expect((await runCli(['sandbox', 'env'], { folder })).stdout).toBe(`export IAC_BASE_URL=${url}\nexport IAC_TOKEN=${token}\n`)
    expect((await ended(start(['apply', '--auto-approve'], { folder, environment }))).code).toBe(0)
    child.kill('SIGINT')
    expect((await end).code).toBe(0)
    expect((await runCli(['sandbox', 'env'], { folder })).code).toBe(3)
  })
})
