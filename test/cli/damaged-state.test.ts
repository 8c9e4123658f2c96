// What commands say and do where a state cannot be read as it was written: restore, push of a backup, unlock without a key, and what status tells.
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { startHttpStates } from '../builders/http-state-server.ts'
import type { HttpStateServer } from '../builders/http-state-server.ts'
import { testUser } from '../builders/http-states.ts'
import { statePlaces } from '../builders/state-places.ts'
import { newFolder, runCli, surroundingsFor, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const manifestOf = (names: readonly string[]): string =>
  names
    .map((name, at) => `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { name: ${name}, description: "", range: 10.${at + 1}.0.0/24 }\n`)
    .join('---\n')

/** A project on a service of its own. */
async function project(state: string, variables: Readonly<Record<string, string>> = {}) {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
  const api = await serveSandbox({ sandbox })
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\n${state === '' ? '' : `state: ${state}\n`}`)
  const environment = { IAC_BASE_URL: api.url, ...variables }
  const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}, stdin?: string): Promise<Ran> =>
    runCli(words, { folder, token: sandbox.token, environment: { ...environment, ...more }, ...(stdin !== undefined && { stdin }) })
  const around = (more: Readonly<Record<string, string>>) =>
    surroundingsFor({ folder, token: sandbox.token, environment: { ...environment, ...more } }, { stdout: '', stderr: '' })
  const apply = (...names: readonly string[]): Promise<Ran> => {
    writeFileSync(join(folder, 'main.yaml'), manifestOf(names))
    return run(['apply', '--auto-approve'])
  }
  const made = (): readonly string[] =>
    sandbox.world.tables.vpcs
      .all()
      .map((one) => one.name)
      .filter((name) => name.startsWith('net-'))
      .toSorted()
  return { folder, run, around, apply, made, close: () => api.close() }
}

describe('on a server', () => {
  let states: HttpStateServer
  beforeAll(async () => void (states = await startHttpStates('gitlab')))
  afterAll(() => states.close())

  function onServer(name: string) {
    const { origin, state } = states.address(name)
    const lock = `lock_address: '${origin}${state}/lock', unlock_address: '${origin}${state}/lock', lock_method: POST, unlock_method: DELETE`
    const caller = { TF_HTTP_USERNAME: testUser.username, TF_HTTP_PASSWORD: testUser.password, IAC_STATE_HOST: new URL(origin).host }
    const alter = (change: (document: Record<string, unknown>) => Record<string, unknown>): void => {
      const kept = states.states.get(state)
      if (kept) kept.text = JSON.stringify(change(JSON.parse(kept.text ?? '{}')))
    }
    return { state, alter, open: () => project(`{ backend: http, address: '${origin}${state}', ${lock} }`, caller) }
  }

  test('a state that is cut off after the first apply is restored as it was, and nothing is made twice', async () => {
    const { alter, open } = onServer('cut')
    const { run, apply, made, close } = await open()
    expect(await apply('net-a')).toMatchObject({ code: 0 })
    const { serial } = JSON.parse((await run(['state', 'pull'])).stdout)
    alter((document) => ({ ...document, state: String(document['state']).slice(0, 40) }))
    expect(await run(['state', 'restore', '--auto-approve'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `what serial ${serial} held is the state again, as serial ${serial + 1}\n`,
    })
    expect(await apply('net-a')).toMatchObject({ code: 0 })
    expect(made()).toEqual(['net-a'])
    await close()
  })

  test('one whose newest generation is gone, too, goes back after a question that says what is lost', async () => {
    const { alter, open } = onServer('older')
    const { run, apply, close } = await open()
    await apply('net-a')
    const [{ serial: first }] = JSON.parse((await run(['state', 'history', '--json'])).stdout)
    let early: unknown
    alter((document) => ({ ...document, history: (early = document['history']) }))
    await apply('net-a', 'net-b')
    const { serial } = JSON.parse((await run(['state', 'pull'])).stdout)
    alter((document) => ({ ...document, state: '', history: early }))
    const older = `is older than serial ${serial}, which was written last and is lost`
    expect(await run(['state', 'restore'], {}, 'no\n')).toMatchObject({ code: 1, stderr: expect.stringContaining(`This one ${older}.\n  Objects made since`) })
    expect(await run(['state', 'restore', '--auto-approve'])).toMatchObject({ code: 0, stderr: expect.stringContaining(`warning: serial ${first} ${older}`) })
    expect((await run(['state', 'list'])).stdout).toBe('Vpc/net-a\n')
    await close()
  })

  test('a lock that another tool has is not called free', async () => {
    const { state, open } = onServer('elsewhere')
    const { run, apply, close } = await open()
    await apply('net-a')
    const kept = states.states.get(state)
    if (kept) kept.lock = JSON.stringify({ ID: 'of-another-tool', Operation: '', Info: '', Who: 'me', Version: '', Created: '', Path: '' })
    const { stdout } = await run(['status'])
    expect(stdout).toMatch(/^Lock: no run of iac is known to have it\. Whether another tool has the lock of the server, only/m)
    expect(stdout).not.toContain('Lock: free')
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toMatchObject({ lock: null, lock_unknown: expect.stringContaining('another tool') })
    await close()
  })
})

describe.each(Object.entries(statePlaces).filter(([, { missing }]) => missing === undefined))('in %s', (name, { open }) => {
  test('a backup goes into the place of a state of which the lock alone is left', async () => {
    const place = await open()
    const { folder, run, apply, made, close } = await project(place.settings('shop'), place.environment)
    await apply('net-a')
    const copy = (await run(['state', 'pull'])).stdout
    writeFileSync(join(folder, 'copy.json'), copy)
    await apply('net-a', 'net-b')
    const { serial } = JSON.parse((await run(['state', 'pull'])).stdout)
    place.forgetAllButLock('shop')
    expect([name, await run(['plan'])]).toMatchObject([name, { code: 9 }])
    expect(await run(['state', 'restore', '--auto-approve'])).toMatchObject({ code: 3, stderr: expect.stringContaining('`iac state push FILE`') })
    expect(await run(['state', 'push', 'copy.json'], { CI: 'true' })).toMatchObject({ code: 3 })
    expect(await run(['state', 'push', '-'], {}, copy)).toMatchObject({ code: 3, stderr: expect.stringContaining('standard input holds the state') })
    // A file may be called anything.
    writeFileSync(join(folder, 'what standard input gave'), copy)
    expect(await run(['state', 'push', 'what standard input gave'], {}, 'no\n')).toMatchObject({ code: 1 })
    const declined = await run(['state', 'push', 'copy.json'], {}, 'no\n')
    expect(declined).toMatchObject({ code: 1, stderr: expect.stringMatching(/The state cannot be read: [^]*compared with nothing\.[^]*Push cancelled/) })
    expect(declined.stderr).toContain(`This file is older than serial ${serial}, which was written last and is lost.`)
    expect(await run(['state', 'push', 'copy.json'], {}, 'yes\n')).toMatchObject({ code: 0 })
    expect(JSON.parse((await run(['state', 'pull'])).stdout)).toMatchObject({ serial: serial + 1, resources: [{ address: 'Vpc/net-a' }] })
    expect(await apply('net-a')).toMatchObject({ code: 0 })
    expect(made()).toEqual(['net-a', 'net-b'])
    await Promise.all([close(), place.close()])
  })

  test('the lock is shown and broken without the key of the state, and nothing else is', async () => {
    const place = await open()
    const settings = place.settings('shop').replace(/ \}$/, ', encryption: { keys: [env:IAC_STATE_KEY] } }')
    const { folder, run, around, close } = await project(settings, place.environment)
    const key = { IAC_STATE_KEY: randomBytes(32).toString('base64') }
    writeFileSync(join(folder, 'main.yaml'), manifestOf(['net-a']))
    expect(await run(['apply', '--auto-approve'], key)).toMatchObject({ code: 0 })
    const [{ serial }] = JSON.parse((await run(['state', 'history', '--json'], key)).stdout)
    const lacking = { code: 9, stderr: expect.stringContaining('IAC_STATE_KEY is not set') }
    const meanwhile: Ran[] = []
    const readLine = async (): Promise<string> => {
      meanwhile.push(await run(['status']), await run(['state', 'list']))
      const id = /, id (\S+)/.exec(meanwhile[0]?.stdout ?? '')?.[1] ?? ''
      meanwhile.push(await run(['state', 'unlock', id, '--auto-approve']), await run(['status']))
      return 'yes'
    }
    const surroundings = around(key)
    const code = await runCommand(['state', 'restore', String(serial)], { ...surroundings, stdin: { ...surroundings.stdin, readLine } })
    expect([code, ...meanwhile]).toMatchObject([
      7,
      { ...lacking, stdout: expect.stringMatching(/^Lock: state restore by [^\n]+\n[^\n]+\n$/) },
      lacking,
      { code: 0 },
      { ...lacking, stdout: expect.stringMatching(/^Lock: (?:free|no run)/) },
    ])
    await Promise.all([close(), place.close()])
  })
})

describe('in a file', () => {
  test('push warns where nobody is asked, and refuses a serial that leaves no room for the next ones', async () => {
    const { folder, run, apply, close } = await project('')
    await apply('net-a')
    const copy = (await run(['state', 'pull'])).stdout
    const put = (serial: number): void => writeFileSync(join(folder, 'copy.json'), copy.replace(/"serial": \d+/, `"serial": ${serial}`))
    for (const serial of [Number.MAX_SAFE_INTEGER, 2 ** 40 + 1]) {
      put(serial)
      const refused = await run(['state', 'push', 'copy.json'])
      expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining(`copy.json has the serial ${serial}, which no state comes to`) })
    }
    put(2 ** 40)
    expect(await run(['state', 'push', 'copy.json'])).toMatchObject({ code: 0 })
    expect(await apply('net-a', 'net-b')).toMatchObject({ code: 0 })
    writeFileSync(join(folder, '.iac/state.json'), '')
    put(3)
    const pushed = await run(['state', 'push', 'copy.json', '--auto-approve'])
    expect(pushed).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/warning: the state cannot be read[^]*warning: copy\.json is older than serial \d+, which is the newest in the history/),
    })
    expect((await run(['state', 'list'])).stdout).toBe('Vpc/net-a\n')
    await close()
  })

  test.each([
    ['project', 'other', 'the project "other" without an environment', '"project": "shop"'],
    ['environment', 'live', 'the environment "live" of the project "shop"', '"environment": null'],
  ])('push takes no file of another %s, in the place of a damaged state neither', async (member, theirs, named, line) => {
    const { folder, run, apply, close } = await project('')
    await apply('net-a')
    const state = JSON.parse((await run(['state', 'pull'])).stdout)
    writeFileSync(join(folder, 'copy.json'), JSON.stringify({ ...state, [member]: theirs }))
    for (const damage of [false, true]) {
      if (damage) writeFileSync(join(folder, '.iac/state.json'), '')
      const refused = await run(['state', 'push', 'copy.json', '--auto-approve'])
      expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining(`copy.json is the state of ${named}, and this is the project "shop"`) })
      expect(refused.stderr).toContain(`write ${line} in it`)
    }
    expect(readFileSync(join(folder, '.iac/state.json'), 'utf8')).toBe('')
    await close()
  })

  test('a damaged lock is told in whole sentences', async () => {
    const { folder, run, apply, close } = await project('')
    await apply('net-a')
    writeFileSync(join(folder, '.iac/state.json.lock'), 'no lock\n')
    expect((await run(['status'])).stdout).toMatch(/for 60 s\. Sooner, where no run is going, `iac state unlock --damaged`/)
    await close()
  })

  test('a journal whose last line was cut off is told by plan, status and apply, and not after that', async () => {
    const { folder, run, apply, close } = await project('')
    await apply('net-a')
    appendFileSync(join(folder, '.iac/state.json.journal'), '{"crc":')
    const told = `note: the last line of the journal of ${join(folder, '.iac/state.json')} was cut off, and is left out`
    for (const words of [['plan'], ['status'], ['apply', '--auto-approve']]) expect([words, (await run(words)).stderr.split(told).length]).toEqual([words, 2])
    expect((await run(['plan'])).stderr).not.toContain(told)
    await close()
  })

  test.each(['status', 'state list', 'state show Vpc/net-a', 'output', 'show'])('%s --json of a damaged state prints what is wrong with it', async (words) => {
    const { folder, run, apply, close } = await project('')
    await apply('net-a')
    writeFileSync(join(folder, '.iac/state.json'), '{"format":')
    const { code, stdout, stderr } = await run([...words.split(' '), '--json'])
    expect([code, stderr]).toEqual([9, expect.stringContaining('error: ')])
    expect(JSON.parse(stdout)).toMatchObject({ valid: false, error_count: 1, diagnostics: [{ code: 'state_damaged' }] })
    await close()
  })

  test('a folder in the place of the lock or the journal is named, and not the state', async () => {
    for (const end of ['lock', 'journal']) {
      const { folder, run, apply, close } = await project('')
      await apply('net-a')
      const path = join(folder, `.iac/state.json.${end}`)
      rmSync(path)
      mkdirSync(path)
      for (const words of [['plan'], ['status']])
        expect(await run(words)).toMatchObject({ code: 1, stderr: expect.stringContaining(`${path}: something else`) })
      expect(readFileSync(join(folder, '.iac/state.json'), 'utf8')).toContain('Vpc/net-a')
      await close()
    }
  })
})

describe('what is no damage', () => {
  const key = { KEY: randomBytes(32).toString('base64') }
  test.each([
    ['of a newer format', '', {}, (text: string) => text.replace('iac-state/v1', 'iac-state/v2'), 'use the newer iac'],
    ['of another tool', '', {}, () => '{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","resources":[]}', 'It is never written over.'],
    ['in clear, where the project encrypts', '{ encryption: { keys: [env:KEY] } }', key, (text: string) => text, 'iac state rekey'],
  ])('is never written over: a state %s', async (_, state, variables, change, says) => {
    const plain = await project('')
    await plain.apply('net-a')
    const pulled = (await plain.run(['state', 'pull'])).stdout
    const one = await project(state, variables)
    writeFileSync(join(one.folder, 'copy.json'), pulled)
    mkdirSync(join(one.folder, '.iac'), { recursive: true })
    const path = join(one.folder, '.iac/state.json')
    writeFileSync(path, change(readFileSync(join(plain.folder, '.iac/state.json'), 'utf8')))
    const before = readFileSync(path, 'utf8')
    expect(await one.run(['state', 'push', 'copy.json', '--auto-approve'])).toMatchObject({ code: 9, stderr: expect.stringContaining(says) })
    expect(readFileSync(path, 'utf8')).toBe(before)
    await Promise.all([plain.close(), one.close()])
  })
})
