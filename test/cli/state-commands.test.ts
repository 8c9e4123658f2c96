// The state commands: they work on the state, under the lock, and refuse what would make it contradict itself.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tokenText } from '../../src/base/token.ts'
import { runCommand } from '../../src/cli/program.ts'
import { fold } from '../../src/state/fold.ts'
import type { Entry } from '../../src/state/record.ts'
import { intentOf } from '../builders/journal.ts'
import { begunOn, leave, storeAt } from '../builders/left-lines.ts'
import { newFolder, patientClock, runCli, surroundingsFor } from './run-cli.ts'

async function withState(): Promise<{ readonly folder: string; readonly run: (...words: string[]) => ReturnType<typeof runCli> }> {
  const folder = newFolder()
  await runCli(['init'], { folder })
  expect((await runCli(['apply', '--sandbox', '--auto-approve'], { folder })).code).toBe(0)
  return { folder, run: (...words) => runCli(['state', ...words, '--sandbox'], { folder }) }
}

/** Makes a network out there and leaves what a run has journalled of it that was killed before it wrote the state; with `open` before its create had ended. */
async function crashedRun(folder: string, name: string, open: boolean): Promise<string> {
  const store = await storeAt(join(folder, '.iac/sandbox/state.json'))
  const { document } = await store.read()
  const workspace = document?.resources[0]?.workspace_id ?? ''
  const fields = ['-f', `name=${name}`, '-f', 'description=late', '-f', 'range=10.99.0.0/24']
  const made = await runCli(['api', 'POST', `/v1/workspaces/${workspace}/vpcs`, ...fields, '--sandbox', '--no-input'], { folder })
  const { id }: { readonly id: string } = JSON.parse(made.stdout)
  const sets = { name, description: 'late', range: '10.99.0.0/24' }
  const lines: Entry[] = [
    await begunOn(store, 'killed'),
    intentOf(900, { address: `Vpc/${name}`, workspace_id: workspace, step: 'create', creates: true, sets }),
    { t: 'accepted', seq: 900, workflow_id: null, id },
  ]
  await leave(store, open ? lines : [...lines, { t: 'done', seq: 900, id }])
  return id
}

describe('iac state', () => {
  test('mv gives another address, and refuses kinds and what is there', async () => {
    const { run } = await withState()
    expect((await run('mv', 'Vpc/main', 'Instance/main')).code).toBe(3)
    expect((await run('mv', 'Vpc/mian', 'Vpc/other')).stderr).toContain('did you mean Vpc/main?')
    expect((await run('mv', 'Vpc/main', 'Vpc/main')).code).toBe(3)
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    expect((await run('list')).stdout).toBe('Vpc/core\n')
  })

  test('mv of a for_each moves all its keys, and refuses where one is there', async () => {
    const { folder, run } = await withState()
    const state = JSON.parse((await run('pull')).stdout)
    const [main] = state.resources
    const keyed = ['a', 'b'].map((key, at) => ({ ...main, address: `Vpc/net["${key}"]`, id: String(at + 1), depends_on: [] }))
    writeFileSync(join(folder, 'edited.json'), JSON.stringify({ ...state, resources: [main, ...keyed] }))
    expect(await run('push', 'edited.json')).toMatchObject({ code: 0 })
    expect(await run('mv', 'Vpc/net', 'Vpc/lan')).toMatchObject({ code: 0, stderr: 'Vpc/net["a"] is now Vpc/lan["a"]\nVpc/net["b"] is now Vpc/lan["b"]\n' })
    expect((await run('list')).stdout).toBe('Vpc/lan["a"]\nVpc/lan["b"]\nVpc/main\n')
    expect((await run('mv', 'Vpc/main', 'Vpc/lan["a"]')).stderr).toContain('the state already holds Vpc/lan["a"]')
    expect((await run('mv', 'Vpc/net', 'Vpc/other')).stderr).toContain('the state does not hold Vpc/net')
  })

  test('mv gives it to whatever names the resource: dependencies of old halves, and what services were last started with', async () => {
    const { folder, run } = await withState()
    const state = JSON.parse((await run('pull')).stdout)
    const [main] = state.resources
    const old = { id: '8', spec: {}, depends_on: ['Vpc/main'] }
    const other = { ...main, address: 'Vpc/other', id: '9', depends_on: ['Vpc/main'], deposed: [old], restarts: { 'Vpc/main': 'abc' } }
    writeFileSync(join(folder, 'edited.json'), JSON.stringify({ ...state, resources: [main, other] }))
    expect(await run('push', 'edited.json')).toMatchObject({ code: 0 })
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    const [, moved] = JSON.parse((await run('pull')).stdout).resources
    expect(moved).toMatchObject({ depends_on: ['Vpc/core'], deposed: [{ depends_on: ['Vpc/core'] }], restarts: { 'Vpc/core': 'abc' } })
  })

  test('mv gives it to what is under way on other resources, which a later run records', async () => {
    const { folder, run } = await withState()
    const store = await storeAt(join(folder, '.iac/sandbox/state.json'))
    const origin = { id: '7', output: 'code' }
    const once = (address: string): string => tokenText({ is: 'once', address, ...origin })
    const names = (address: string) => ({ depends_on: [address], origins: { '/description': { address, ...origin } } })
    const sets = { description: once('Vpc/main') }
    await leave(store, [await begunOn(store, 'killed'), intentOf(900, { address: 'Vpc/late', step: 'create', creates: true, sets, ...names('Vpc/main') })])
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    await leave(store, [await begunOn(store, 'later'), { t: 'adopted', seq: 900, id: '8', evidence: 'its name' }, { t: 'done', seq: 900, id: '8' }])
    const { document, entries } = await store.read()
    expect(fold(document, entries).resources.get('Vpc/late')).toMatchObject({ id: '8', spec: { description: once('Vpc/core') }, ...names('Vpc/core') })
  })

  test('pull and push take a state along when its project gets another name, and nothing else does', async () => {
    const { folder, run } = await withState()
    const file = join(folder, 'iac.yaml')
    const rename = (name: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(/^name: .*$/m, `name: ${name}`))
    const push = (project: string, state: string) => {
      writeFileSync(join(folder, 'edited.json'), JSON.stringify({ ...JSON.parse(state), project }))
      return run('push', 'edited.json')
    }
    rename('shop')
    expect((await push('shop', (await run('pull')).stdout)).code).toBe(0)
    rename('store')
    const refused = await runCli(['plan', '--sandbox'], { folder })
    expect([refused.code, refused.stderr]).toEqual([
      9,
      expect.stringContaining('`iac state pull --sandbox > FILE`, write "project": "store" in it, `iac state push --sandbox FILE`'),
    ])
    expect((await push('store', (await run('pull')).stdout)).code).toBe(0)
    expect((await runCli(['plan', '--sandbox'], { folder })).stdout).toContain('No changes.')
  })

  test('tells what is wrong in the project file in its order', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nnam: x\nguards: { max_destroy: -1 }\nname: 5\nstat: {}\n')
    const { code, stderr } = await runCli(['state', 'list'], { folder })
    expect([code, [...stderr.matchAll(/iac\.yaml:(\d+):/g)].map((match) => match[1])]).toEqual([3, ['3', '4', '5', '6']])
  })

  test('rm forgets what a pattern means', async () => {
    const { run } = await withState()
    expect((await run('rm', 'Vpc/nothing-*')).code).toBe(3)
    const [main] = JSON.parse((await run('pull')).stdout).resources
    expect(await run('rm', 'Vpc/ma*')).toEqual({ code: 0, stdout: '', stderr: `forgot Vpc/main (id ${main.id})\n` })
    expect((await run('list')).stdout).toBe('')
  })

  test('rm forgets several at once, or nothing where one of them is not there', async () => {
    const { folder, run } = await withState()
    const network = (name: string, range: string) => `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { description: d, range: ${range} }\n`
    writeFileSync(join(folder, 'infra/more.yaml'), `${network('net-a', '10.21.0.0/24')}---\n${network('net-b', '10.22.0.0/24')}`)
    expect((await runCli(['apply', '--sandbox', '--auto-approve'], { folder })).code).toBe(0)
    expect(await run('rm', 'Vpc/net-a', 'Vpc/net-c')).toMatchObject({ code: 3, stderr: expect.stringContaining('the state does not hold Vpc/net-c') })
    expect((await run('rm', 'Vpc/net-a', 'Vpc/net-b', 'Vpc/net-[ab]')).code).toBe(3)
    expect((await run('rm', 'Vpc/net-a', 'Vpc/net-b', 'Vpc/net-a')).stderr).toMatch(/^forgot Vpc\/net-a \(id \d+\)\nforgot Vpc\/net-b \(id \d+\)\n$/)
    expect((await run('list')).stdout).toBe('Vpc/main\n')
  })

  test('rm names the old halves that nobody deletes any more', async () => {
    const { folder, run } = await withState()
    const state = JSON.parse((await run('pull')).stdout)
    const [main] = state.resources
    const old = (id: string) => ({ id, spec: {}, depends_on: [] })
    writeFileSync(join(folder, 'edited.json'), JSON.stringify({ ...state, resources: [{ ...main, deposed: [old('8'), old('9')] }] }))
    expect((await run('push', 'edited.json')).code).toBe(0)
    expect((await run('rm', 'Vpc/main')).stderr).toContain('warning: Vpc/main: its old halves (id 8, 9) were still to be deleted, which nobody does now')
  })

  test('restore without a serial puts back the one before the present, and says so where there is none', async () => {
    const { run } = await withState()
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    const [{ serial }] = JSON.parse((await run('history', '--json')).stdout)
    expect((await run('restore', '--auto-approve')).stderr).toBe(`what serial ${serial - 1} held is the state again, as serial ${serial + 1}\n`)
    expect((await run('list')).stdout).toBe('Vpc/main\n')
    expect(JSON.parse((await run('pull')).stdout).serial).toBe(serial + 1)
    const folder = newFolder()
    expect((await runCli(['state', 'restore', '--auto-approve', '--sandbox'], { folder })).stderr).toContain('no earlier generation is kept')
  })

  test('restore holds the lock while it asks, so that what others would do meanwhile is refused and not forgotten', async () => {
    const { folder, run } = await withState()
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    const meanwhile: number[] = []
    // A lock that its file shows to be silent is waited for.
    const options = { folder, clock: patientClock }
    const surroundings = surroundingsFor(options, { stdout: '', stderr: '' })
    const readLine = async (): Promise<string> => {
      for (const words of [
        ['state', 'mv', 'Vpc/core', 'Vpc/late'],
        ['apply', '--auto-approve'],
      ])
        meanwhile.push((await runCli([...words, '--sandbox'], options)).code)
      return 'yes'
    }
    const code = await runCommand(['state', 'restore', '--sandbox'], { ...surroundings, stdin: { ...surroundings.stdin, readLine } })
    expect([code, meanwhile]).toEqual([0, [7, 7]])
    expect((await run('list')).stdout).toBe('Vpc/main\n')
  })

  test('^C at the question of restore gives the lock back, with 130', async () => {
    const { folder, run } = await withState()
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    const surroundings = surroundingsFor({ folder }, { stdout: '', stderr: '' })
    const leaving = new AbortController()
    const graceful: boolean[] = []
    const readLine = async (): Promise<undefined> => {
      // Any other ^C ends the process where it stands.
      if (graceful.at(-1) === true) leaving.abort()
    }
    const around = { ...surroundings, stop: leaving.signal, graceful: (on: boolean) => void graceful.push(on), stdin: { ...surroundings.stdin, readLine } }
    expect(await runCommand(['state', 'restore', '--sandbox'], around)).toBe(130)
    expect([graceful, (await run('mv', 'Vpc/core', 'Vpc/late')).code]).toEqual([[true, false], 0])
  })

  test('restore asks about nothing that it cannot do', async () => {
    const { folder, run } = await withState()
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    await crashedRun(folder, 'late', false)
    for (const [serial, code] of [
      ['99', 3],
      ['1', 9],
    ] as const) {
      const ran = await runCli(['state', 'restore', serial, '--sandbox'], { folder, stdin: 'yes\n' })
      expect([ran.code, ran.stderr.includes('Do you really want')]).toEqual([code, false])
    }
    expect(await runCli(['state', 'restore', '99', '--sandbox'], { folder })).toMatchObject({ stderr: expect.stringContaining('there is no generation 99') })
  })

  test('push takes an edited state, and refuses another lineage and an older one', async () => {
    const { folder, run } = await withState()
    const pulled = (await run('pull')).stdout
    const put = (text: string): void => writeFileSync(join(folder, 'edited.json'), text)
    put(pulled.replace('"the first network"', '"edited"'))
    expect((await run('push', 'edited.json')).code).toBe(0)
    expect((await run('show', 'Vpc/main')).stdout).toContain('"edited"')
    put(pulled)
    expect((await run('push', 'edited.json')).code).toBe(9)
    put((await run('pull')).stdout.replace(/"lineage": "[^"]+"/, '"lineage": "00000000-0000-4000-8000-000000000000"'))
    expect((await run('push', 'edited.json')).code).toBe(9)
    put('{}')
    expect((await run('push', 'edited.json')).code).toBe(9)
  })

  test.each(['', '{', '{}', '{"format":"iac-state/v1"}'])(
    'push of the broken file %j says that the state is as it was, and names no way back',
    async (text) => {
      const { folder, run } = await withState()
      writeFileSync(join(folder, 'edited.json'), text)
      const refused = await run('push', 'edited.json')
      expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining('hint: the state is as it was; pull again and repeat the edit') })
      expect(refused.stderr).not.toContain('state restore')
      const typed = await runCli(['state', 'push', '-', '--sandbox'], { folder, stdin: text })
      expect(typed).toEqual({ ...refused, stderr: refused.stderr.replace('error: edited.json is', 'error: what standard input gave is') })
      expect((await run('list')).stdout).toBe('Vpc/main\n')
    },
  )

  test('a damaged state is refused with 9 and can be restored', async () => {
    const { folder, run } = await withState()
    const path = join(folder, '.iac/sandbox/state.json')
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    writeFileSync(path, readFileSync(path, 'utf8').replace('Vpc/core', 'Vpc/cora'))
    expect((await run('list')).code).toBe(9)
    const kept: { serial: number; resources: number; tool_version: string }[] = JSON.parse((await run('history', '--json')).stdout)
    const serials = kept.map((one) => String(one.serial))
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(kept.slice(0, 2)).toEqual([
      { serial: Number(serials[0]), time, command: 'state mv', resources: 1, tool_version: '0.0.0-test' },
      { serial: Number(serials[1]), time, command: 'apply', resources: 1, tool_version: '0.0.0-test' },
    ])
    expect((await run('history')).stdout).toMatch(
      new RegExp(`^SERIAL  TIME +COMMAND +RESOURCES  VERSION\n${serials[0]} +[-\\dT:.]+Z +state mv +1 +0\\.0\\.0-test\n`),
    )
    const declined = await runCli(['state', 'restore', '--sandbox'], { folder, stdin: 'no\n' })
    expect(declined).toMatchObject({ code: 1, stderr: expect.stringContaining('Restore cancelled.') })
    expect((await run('restore', '--auto-approve')).code).toBe(0)
    expect((await run('list')).stdout).toBe('Vpc/core\n')
    expect((await run('restore', serials[1] ?? '', '--auto-approve')).code).toBe(0)
    expect((await run('list')).stdout).toBe('Vpc/main\n')
    expect((await run('restore', '9999', '--auto-approve')).code).toBe(3)
  })

  test('rekey keeps what a killed run left in the journal alone', async () => {
    const { folder, run } = await withState()
    await crashedRun(folder, 'late', false)
    const file = join(folder, 'iac.yaml')
    writeFileSync(file, `${readFileSync(file, 'utf8')}state: { encryption: { keys: [env:IAC_STATE_KEY] } }\n`)
    const environment = { IAC_STATE_KEY: 'a passphrase of some length' }
    expect((await run('list')).code).toBe(9)
    expect((await runCli(['state', 'rekey', '--auto-approve', '--sandbox'], { folder, environment })).code).toBe(0)
    expect((await runCli(['state', 'list', '--sandbox'], { folder, environment })).stdout).toBe('Vpc/late\nVpc/main\n')
  })

  test('push and restore refuse to forget what a killed run left in the journal alone', async () => {
    const { folder, run } = await withState()
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    writeFileSync(join(folder, 'early.json'), (await run('pull')).stdout)
    const serials: { serial: number }[] = JSON.parse((await run('history', '--json')).stdout)
    const id = await crashedRun(folder, 'late', false)
    const files = (): string[] => ['', '.journal'].map((end) => readFileSync(join(folder, `.iac/sandbox/state.json${end}`), 'utf8'))
    const before = (await run('list')).stdout
    expect(before).toBe('Vpc/core\nVpc/late\n')
    const [document] = files()
    for (const words of [
      ['push', 'early.json'],
      ['restore', '--auto-approve'],
      ['restore', String(serials[1]?.serial), '--auto-approve'],
    ]) {
      const refused = await run(...words)
      expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining(`it changed Vpc/late (${id})`) })
      expect(refused.stderr).toContain('`iac apply --sandbox --refresh-only`')
      expect([files()[0], (await run('list')).stdout]).toEqual([document, before])
    }
    // The way that is named: the document holds it, and each command does its own again.
    expect((await runCli(['apply', '--refresh-only', '--auto-approve', '--sandbox'], { folder })).code).toBe(0)
    expect(files()[0]).toContain(id)
    expect((await run('restore', String(serials[0]?.serial), '--auto-approve')).code).toBe(0)
    expect((await run('list')).stdout).toBe('Vpc/core\n')
  })

  test('a file that was pulled after the killed run holds what it left, and is taken with its edits', async () => {
    const { folder, run } = await withState()
    const id = await crashedRun(folder, 'late', false)
    writeFileSync(join(folder, 'edited.json'), (await run('pull')).stdout.replace('"the first network"', '"edited"'))
    expect((await run('push', 'edited.json')).code).toBe(0)
    expect(readFileSync(join(folder, '.iac/sandbox/state.json'), 'utf8')).toContain(id)
    expect((await run('show', 'Vpc/main')).stdout).toContain('"edited"')
  })

  test('push and restore keep what a killed run had begun on the state that they replace', async () => {
    const { folder, run } = await withState()
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    writeFileSync(join(folder, 'early.json'), (await run('pull')).stdout)
    const kept: { serial: number }[] = JSON.parse((await run('history', '--json')).stdout)
    const id = await crashedRun(folder, 'begun', true)
    expect((await run('push', 'early.json')).code).toBe(0)
    expect((await run('show', 'Vpc/begun')).stdout).toContain(id)
    expect((await run('restore', String(kept[1]?.serial), '--auto-approve')).code).toBe(0)
    expect((await run('list')).stdout).toBe('Vpc/begun\nVpc/main\n')
    expect((await runCli(['apply', '--refresh-only', '--auto-approve', '--sandbox'], { folder })).code).toBe(0)
    expect(readFileSync(join(folder, '.iac/sandbox/state.json'), 'utf8')).toContain(id)
  })

  test.each([{ holds: false }, { holds: true }])('unlock of an id that holds no lock says so and asks nothing: $holds', async ({ holds }) => {
    const { folder } = await withState()
    const store = await storeAt(join(folder, '.iac/sandbox/state.json'))
    const owner = { id: 'mine', operation: 'apply', who: 'tester@here', host: 'here', pid: process.pid, created: new Date(0).toISOString(), run_url: null }
    const lease = holds ? await store.lock(owner, 0) : undefined
    const ran = await runCli(['state', 'unlock', 'abc', '--sandbox'], { folder })
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('no lock with the id abc is held') })
    expect(ran.stdout + ran.stderr).not.toContain('Do you really want')
    if (holds)
      expect(await runCli(['state', 'unlock', 'mine', '--sandbox'], { folder, stdin: 'no\n' })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('apply by tester@here'),
      })
    await lease?.release()
  })

  test('unlock of a damaged lock asks, and puts a free one in its place; it takes an id or the flag', async () => {
    const { folder, run } = await withState()
    expect(await run('unlock')).toMatchObject({ code: 3, stderr: expect.stringContaining('the ID of the lock is missing') })
    expect(await run('unlock', 'abc', '--damaged')).toMatchObject({ code: 3, stderr: expect.stringContaining('a damaged lock has no ID') })
    expect(await run('unlock', '--damaged', '--auto-approve')).toMatchObject({ code: 3, stderr: expect.stringContaining('the lock is not damaged') })
    writeFileSync(join(folder, '.iac/sandbox/state.json.lock'), 'no lock\n')
    expect((await runCli(['status', '--sandbox'], { folder })).stdout).toContain('`iac state unlock --sandbox --damaged`')
    const asked = ['state', 'unlock', '--damaged', '--sandbox']
    expect(await runCli(asked, { folder, stdin: 'no\n' })).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody can tell whose it was') })
    expect(await runCli(asked, { folder, stdin: 'yes\n' })).toMatchObject({ code: 0, stderr: expect.stringContaining('a free lock stands') })
    expect((await runCli(['status', '--sandbox'], { folder })).stdout).toContain('Lock: free')
  })

  test('ready wants a resource that is marked failed', async () => {
    const { folder, run } = await withState()
    expect((await run('ready', 'Vpc/main')).code).toBe(3)
    writeFileSync(join(folder, 'edited.json'), (await run('pull')).stdout.replace('"status": "ready"', '"status": "failed"'))
    expect((await run('push', 'edited.json')).code).toBe(0)
    expect((await run('ready', 'Vpc/main')).code).toBe(0)
    expect((await run('show', 'Vpc/main')).stdout).toContain('status       = "ready"')
  })

  test('unlock names nothing that is not held', async () => {
    const { run } = await withState()
    expect((await run('unlock', 'abc', '--auto-approve')).code).toBe(3)
  })
})
