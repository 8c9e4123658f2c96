// A project whose state is encrypted: what lies on its disk, what each key opens, and saved plans.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'
import { serving } from './serve-sandbox.ts'

const [oldKey, newKey] = ['a passphrase of some length', Buffer.alloc(32, 3).toString('base64')]
/** Of bytes, which nothing is derived of: a passphrase costs a tenth of a second in each command. */
const ownKey = Buffer.alloc(32, 4).toString('base64')
const canary = 'canary-7e41'
const project = 'apiVersion: iac/v1\nkind: Project\nname: shop\n'
const encryption = (names: string): string => `${project}state: { encryption: { keys: [${names}] } }\n`
const manifest = `apiVersion: iac/v1\nkind: SshKey\nmetadata: { name: ${canary} }\nspec: { public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILe9VcEbeBsMzEOqblf52t8GYOnR1OJ+CXnuQ6QH1FSu ${canary}" }\n`

/** A project on a sandbox that is served; commands run with these variables. */
async function withProject(
  work: (at: { readonly folder: string; run(variables: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran> }) => Promise<void>,
) {
  await serving(newFolder(), ['--profile', 'instant'], async ({ address }) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'keys.yaml'), manifest)
    const run = (variables: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran> =>
      runCli(words, { folder, token: address.token, environment: { IAC_BASE_URL: address.url, ...variables } })
    await work({ folder, run })
  })
}

/** The state's file and its journal, which no refused command may touch. */
function kept(folder: string): readonly string[] {
  return ['state.json', 'state.json.journal'].map((name) => readFileSync(join(folder, '.iac', name), 'utf8'))
}

/** Every byte below the project's own folder. */
function stored(folder: string): string {
  const files = readdirSync(join(folder, '.iac'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.map((one) => readFileSync(join(one.parentPath, one.name), 'latin1')).join('\n')
}

test('with a key everything works as without, and nothing that lies there can be read', async () => {
  await withProject(async ({ folder, run }) => {
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:IAC_STATE_KEY'))
    const key = { IAC_STATE_KEY: oldKey }
    expect(await run(key, 'plan', '--out', 'first.plan')).toMatchObject({ code: 0 })
    expect(await run(key, 'apply', 'first.plan', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await run(key, 'plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect((await run(key, 'show', 'first.plan')).stdout).toContain(canary)
    expect((await run(key, 'state', 'list')).stdout).toBe(`SshKey/${canary}\n`)
    for (const text of [stored(folder), readFileSync(join(folder, 'first.plan'), 'utf8')]) {
      expect(text).toContain('iac-sealed/v1')
      for (const said of [canary, oldKey, Buffer.from(canary).toString('hex')]) expect(text).not.toContain(said)
    }
  })
})

test.each([
  [{}, 'IAC_STATE_KEY is not set'],
  [{ IAC_STATE_KEY: 'too short' }, 'IAC_STATE_KEY holds no key'],
  [{ IAC_STATE_KEY: newKey }, 'encrypted with another key'],
])('with %j instead it is refused with 9, and nothing is changed', async (variables, says) => {
  await withProject(async ({ folder, run }) => {
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:IAC_STATE_KEY'))
    expect(await run({ IAC_STATE_KEY: ownKey }, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await run({ IAC_STATE_KEY: ownKey }, 'plan', '--out', 'next.plan')).toMatchObject({ code: 0 })
    const before = kept(folder)
    for (const words of [
      ['plan'],
      ['apply', '--auto-approve'],
      ['apply', 'next.plan'],
      ['show', 'next.plan'],
      ['destroy', '--auto-approve'],
      ['state', 'list'],
      ['state', 'pull'],
      ['state', 'rekey', '--auto-approve'],
    ]) {
      const refused = await run(variables, ...words)
      expect([words, refused.code, refused.stdout]).toEqual([words, 9, ''])
      expect(refused.stderr).toContain(says)
      for (const key of [ownKey, newKey, 'too short']) expect(refused.stderr).not.toContain(key)
    }
    expect(kept(folder)).toEqual(before)
  })
})

test('a state in clear is refused where there are keys, until rekey encrypts it; a new first key needs the old one until then', async () => {
  await withProject(async ({ folder, run }) => {
    writeFileSync(join(folder, 'iac.yaml'), project)
    expect(await run({}, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await run({}, 'plan', '--out', 'clear.plan')).toMatchObject({ code: 0 })
    expect(stored(folder)).toContain(canary)
    expect(await run({}, 'state', 'rekey', '--auto-approve')).toMatchObject({ code: 3, stderr: expect.stringContaining('names no key') })
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:IAC_STATE_KEY'))
    const key = { IAC_STATE_KEY: oldKey }
    expect(await run(key, 'plan')).toMatchObject({ code: 9, stderr: expect.stringContaining('iac state rekey') })
    expect(await run(key, 'apply', 'clear.plan')).toMatchObject({ code: 9, stderr: expect.stringContaining('is not encrypted') })
    expect(await run(key, 'state', 'rekey')).toMatchObject({ code: 1, stderr: expect.stringContaining('Rekey cancelled') })
    expect(await run(key, 'state', 'rekey', '--auto-approve')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('encrypted by the key in IAC_STATE_KEY'),
    })
    expect(stored(folder)).not.toContain(canary)
    expect(await run(key, 'plan', '--detailed-exitcode')).toMatchObject({ code: 0 })

    writeFileSync(join(folder, 'iac.yaml'), encryption('env:NEW_KEY, env:IAC_STATE_KEY'))
    const both = { NEW_KEY: newKey, ...key }
    expect(await run(both, 'state', 'mv', `SshKey/${canary}`, 'SshKey/renamed')).toMatchObject({ code: 0 })
    expect(await run(both, 'state', 'mv', 'SshKey/renamed', `SshKey/${canary}`)).toMatchObject({ code: 0 })
    expect(await run(both, 'state', 'rekey', '--auto-approve')).toMatchObject({ code: 0 })
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:NEW_KEY'))
    const history = await run({ NEW_KEY: newKey }, 'state', 'history', '--json')
    expect(JSON.parse(history.stdout).every((one: { resources: number | null }) => one.resources !== null)).toBe(true)
    expect(await run({ NEW_KEY: newKey }, 'plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

test('a pulled state is in clear, and says so where it is kept encrypted', async () => {
  await withProject(async ({ folder, run }) => {
    writeFileSync(join(folder, 'iac.yaml'), project)
    const note = 'the state is encrypted, and this is it in clear\n'
    expect(await run({}, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await run({}, 'state', 'pull')).stderr).toBe('')
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:IAC_STATE_KEY'))
    const key = { IAC_STATE_KEY: ownKey }
    expect(await run(key, 'state', 'rekey', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await run(key, 'state', 'pull')).toMatchObject({ code: 0, stdout: expect.stringContaining(canary), stderr: note })
    expect((await run({}, 'state', 'pull', '--help')).stdout.replaceAll(/\s+/g, ' ')).toContain('in clear, also where the state is encrypted')
  })
})

test('where every generation is in clear, no hint says that one is not', async () => {
  await withProject(async ({ folder, run }) => {
    writeFileSync(join(folder, 'iac.yaml'), project)
    expect(await run({}, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await run({}, 'state', 'mv', `SshKey/${canary}`, 'SshKey/renamed')).toMatchObject({ code: 0 })
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:IAC_STATE_KEY'))
    for (const words of [['plan'], ['state', 'restore', '--auto-approve'], ['state', 'restore', '1', '--auto-approve']]) {
      const refused = await run({ IAC_STATE_KEY: ownKey }, ...words)
      expect([words, refused.code]).toEqual([words, 9])
      expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
        'hint: encrypt what you trust with `iac state rekey`; a generation that `iac state history` can read is encrypted, and can be restored',
      )
    }
  })
})

test('a saved plan stays under the key that it was made with, and its refusal says to make another', async () => {
  await withProject(async ({ folder, run }) => {
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:IAC_STATE_KEY'))
    const key = { IAC_STATE_KEY: ownKey }
    expect(await run(key, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await run(key, 'plan', '--out', 'old.plan')).toMatchObject({ code: 0 })
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:NEW_KEY, env:IAC_STATE_KEY'))
    expect(await run({ NEW_KEY: newKey, ...key }, 'state', 'rekey', '--auto-approve')).toMatchObject({ code: 0 })
    writeFileSync(join(folder, 'iac.yaml'), encryption('env:NEW_KEY'))
    const says = expect.stringMatching(
      /old\.plan is encrypted with another key[^]*hint: give the key that it was written with, or make a new one with `iac plan --out old\.plan`/,
    )
    expect(await run({ NEW_KEY: newKey }, 'apply', 'old.plan')).toMatchObject({ code: 9, stderr: says })
    expect((await run({ NEW_KEY: newKey }, 'apply', 'old.plan')).stderr).not.toContain('rekey')
  })
})

test('the state of the sandbox is encrypted, too', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), encryption('env:IAC_STATE_KEY'))
  writeFileSync(join(folder, 'keys.yaml'), manifest)
  expect((await runCli(['apply', '--sandbox', '--auto-approve'], { folder, environment: { IAC_STATE_KEY: newKey } })).code).toBe(0)
  const state = readFileSync(join(folder, '.iac/sandbox/state.json'), 'utf8')
  expect([state.includes('iac-sealed/v1'), state.includes(canary)]).toEqual([true, false])
})
