// Whose a shared state is: two folders that are called alike, one project in folders that are called differently, a new name.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { addressOf, postgresPrograms, startPostgres } from '../builders/postgres.ts'
import type { PostgresServer } from '../builders/postgres.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const vpc = (name: string, range: string): string =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { name: ${name}, description: "", range: ${range} }\n`
const apply = ['apply', '--auto-approve']
const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })

describe.runIf(postgresPrograms !== undefined)('projects on one database', () => {
  let server: PostgresServer
  let api: Awaited<ReturnType<typeof serveSandbox>>
  beforeAll(async () => void ([server, api] = [await startPostgres(), await serveSandbox({ sandbox })]), 60_000)
  afterAll(async () => {
    await api.close()
    await server.stop()
  })

  /** A folder of this name with a project, and how commands run in it. */
  function project(called: string, lines: string, manifest: string) {
    const folder = join(newFolder(), called)
    mkdirSync(folder)
    const say = (text: string): void => writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\n${text}`)
    say(lines)
    writeFileSync(join(folder, 'main.yaml'), manifest)
    return { folder, say, iac: (...words: string[]): Promise<Ran> => runIn(folder, words) }
  }
  const runIn = (folder: string, words: readonly string[]): Promise<Ran> =>
    runCli(words, { folder, environment: { IAC_BASE_URL: api.url, IAC_STATE_URL: addressOf(server) }, token: sandbox.token })
  const names = (): readonly string[] => sandbox.world.tables.vpcs.all().map((one) => one.name)

  test('that have no name are refused before anything is read: other folders may be called alike', async () => {
    const first = project('infra', 'state: { backend: postgres }\n', vpc('first', '10.1.0.0/24'))
    const hint = 'hint: write `name: infra` into iac.yaml: what was applied from this folder lies there'
    for (const words of [
      ['validate'],
      ['plan'],
      apply,
      ['destroy', '--auto-approve'],
      ['drift'],
      ['state', 'list'],
      ['status'],
      ['output'],
      ['state', 'unlock', 'x'],
    ])
      expect([words, await first.iac(...words)]).toEqual([words, expect.objectContaining({ code: 3, stderr: expect.stringContaining(hint) })])
    expect((await first.iac('plan')).stderr).toContain('A project that is new there needs a name that no other one has')
    const examined = await first.iac('doctor')
    expect([examined.code, examined.stdout + examined.stderr]).toEqual([3, expect.stringContaining('needs the name of the project')])
    expect(names()).toEqual([])
  })

  test('an environment is no exception, and a name that is written leads to the state that lies there', async () => {
    const settings = 'environments: { live: { state: { backend: postgres } } }\n'
    const one = project('shop', settings, vpc('shop', '10.2.0.0/24'))
    expect(await one.iac('plan', '-e', 'live')).toMatchObject({ code: 3, stderr: expect.stringMatching(/iac\.yaml:3:25[^]*`name: shop`/) })
    one.say(`name: shop\n${settings}`)
    expect(await one.iac(...apply, '-e', 'live')).toMatchObject({ code: 0 })
    expect(server.sql('SELECT state FROM iac.states ORDER BY 1', 'tests')).toContain('shop')
  })

  test('a copy in another folder whose state alone is named is told the name to write, and then sees it', async () => {
    const place = 'state: { backend: postgres, name: copied }\n'
    const aa = project('aa', place, vpc('copied', '10.3.0.0/24'))
    expect(await aa.iac(...apply)).toMatchObject({ code: 0 })
    const bb = join(newFolder(), 'bb')
    cpSync(aa.folder, bb, { recursive: true })
    const refused = await runIn(bb, apply)
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining('write `name: aa` into iac.yaml')])
    expect(refused.stderr).not.toContain('state.path')
    writeFileSync(join(bb, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: aa\n${place}`)
    expect(await runIn(bb, ['plan', '--detailed-exitcode'])).toMatchObject({ code: 0 })
    expect(names().filter((name) => name === 'copied')).toHaveLength(1)
  })

  test('of one name, written by hand, have one state: the plan of the second warns before it destroys what the first has made', async () => {
    const lines = 'name: twice\nstate: { backend: postgres }\n'
    const first = project('infra', lines, vpc('first', '10.5.0.0/24'))
    expect(await first.iac(...apply)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('declared here') })
    const warning =
      /warning: nothing that the state holds is declared here, and all of it would be destroyed[^]*give this project a name, or a state\.name, of its own/
    const second = project('infra', lines, vpc('second', '10.6.0.0/24'))
    const planned = await second.iac('plan')
    expect(planned.stdout + planned.stderr).toMatch(warning)
    for (const [manifest, words] of [
      [vpc('second', '10.6.0.0/24'), ['plan', '--destroy']],
      [vpc('second', '10.6.0.0/24') + `---\n${vpc('first', '10.5.0.0/24')}`, ['plan']],
      [vpc('renamed', '10.5.0.0/24').replace('spec: { name: renamed', 'spec: { name: first'), ['plan']],
    ] as const) {
      writeFileSync(join(second.folder, 'main.yaml'), manifest)
      const other = await second.iac(...words)
      expect([words, other.code, other.stdout + other.stderr]).toEqual([words, 0, expect.not.stringContaining('is declared here')])
    }
  })

  test('after a new name the plan begins by saying that no state is there', async () => {
    const one = project('renamed', 'name: before\nstate: { backend: postgres }\n', vpc('renamed', '10.4.0.0/24'))
    const first = await one.iac('plan')
    expect(first.stdout).toMatch(/^There is no state yet at before \(postgres\): everything here is planned as new\.\n/)
    expect(await one.iac(...apply)).toMatchObject({ code: 0 })
    expect((await one.iac('plan')).stdout).not.toContain('There is no state yet')
    one.say('name: after\nstate: { backend: postgres }\n')
    expect((await one.iac('plan')).stdout).toMatch(/^There is no state yet at after \(postgres\)/)
    expect((await one.iac('plan', '--sandbox')).stdout).not.toContain('There is no state yet')
  })
})
