// The folder of a local state that goes while an apply runs: no word says that what was done is recorded, since whoever runs it again would make it twice.
import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'

const vpc = (name: string, octet: number, more = ''): string => manifest('Vpc', name, `name: ${name}\ndescription: d\nrange: 10.${octet}.0.0/24`, more)

/** A project that makes one network after the other; `lose` is what becomes of its own folder while the first is made. */
async function losing(lose: (folder: string) => void) {
  const bench = await operatingBench('')
  writeFileSync(join(bench.folder, 'main.yaml'), vpc('first', 1) + vpc('second', 2, 'depends_on: [Vpc/first]'))
  bench.sandbox.faults.hook = ({ method }) => {
    if (method === 'POST' && existsSync(join(bench.folder, '.iac/state.json'))) lose(bench.folder)
    return undefined
  }
  const ran = await bench.run(['apply', '--auto-approve'])
  bench.sandbox.faults.hook = undefined
  return { ...bench, ran, made: () => bench.sandbox.world.tables.vpcs.all().map((one) => one.name) }
}

test.each([
  ['removed', (folder: string) => rmSync(join(folder, '.iac'), { recursive: true })],
  ['moved away', (folder: string) => renameSync(join(folder, '.iac'), join(folder, 'elsewhere'))],
])('what is %s ends the apply with 8, and with what there is to do', async (how, lose) => {
  const { folder, run, ran, made } = await losing(lose)
  expect([ran.code, made()]).toEqual([8, ['first']])
  expect(ran.stderr).toMatch(/the files of \S+state\.json are gone[^]*recorded only where they are still kept[^]*`iac drift --unmanaged`/)
  expect(ran.stderr + ran.stdout).not.toMatch(/the journal holds|is recorded; run again|Another run/)
  if (how === 'removed') return
  // As the message says.
  rmSync(join(folder, '.iac'), { recursive: true, force: true })
  renameSync(join(folder, 'elsewhere'), join(folder, '.iac'))
  // The process of that run, which is this one, has not ended.
  rmSync(join(folder, '.iac/state.json.lock'))
  expect(await run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  expect(made()).toEqual(['first', 'second'])
})

test('where the lock alone is removed the journal stays, and the next run goes on', async () => {
  const { run, ran, made } = await losing((folder) => {
    for (const name of readdirSync(join(folder, '.iac'))) if (name.includes('.lock')) rmSync(join(folder, '.iac', name))
  })
  expect([ran.code, ran.stderr]).toEqual([8, expect.stringMatching(/the lock of \S+ was lost[^]*what was done is recorded; run again/)])
  expect(await run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  expect(made()).toEqual(['first', 'second'])
})

test('where a backup is put back no word says that what was done is recorded', async () => {
  const { folder, run, sandbox } = await operatingBench('')
  const [own, backup] = [join(folder, '.iac'), join(folder, 'backup')]
  writeFileSync(join(folder, 'main.yaml'), vpc('zero', 1))
  expect(await run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  cpSync(own, backup, { recursive: true })
  writeFileSync(join(folder, 'main.yaml'), vpc('zero', 1) + vpc('first', 2) + vpc('second', 3, 'depends_on: [Vpc/first]'))
  sandbox.faults.hook = ({ method }) => {
    if (method !== 'POST') return undefined
    rmSync(own, { recursive: true })
    cpSync(backup, own, { recursive: true })
    return undefined
  }
  const ran = await run(['apply', '--auto-approve'])
  sandbox.faults.hook = undefined
  expect([ran.code, sandbox.world.tables.vpcs.all().map((one) => one.name)]).toEqual([8, ['zero', 'first']])
  expect(ran.stderr).toMatch(/the files of \S+state\.json were replaced by older ones[^]*recorded only where they are still kept[^]*`iac drift --unmanaged`/)
  expect(ran.stderr + ran.stdout).not.toMatch(/the journal holds|is recorded; run again|Another run/)
})
