// Disks that refuse: full, limited, read-only; nothing is sent that could not be recorded, and nothing recorded is lost.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { drawn } from '../builders/long-form.ts'
import { runCli } from '../cli/run-cli.ts'
import { stateOf } from './checks.ts'
import { copyFolder } from './copy-folder.ts'
import { countOf, createFleet, problemsAfterRerun } from './fleet.ts'
import { environmentFor, newFolder, program, start } from './program.ts'
import type { World } from './world.ts'

const apply = ['apply', '--auto-approve']
const isRoot = process.getuid?.() === 0
const COUNT = 12
const BALLAST = 'ballast'

/** Whether small file systems can be mounted here. */
const canMount = isRoot && mounts()
/** Whether node can be run as somebody without rights: it may stand in a home that only its owner can enter. */
const canDrop = isRoot && spawnSync('setpriv', [...nobody(), process.execPath, '--version']).status === 0
if (!canMount) console.warn('SKIPPED: a full disk, since no tmpfs can be mounted here; a limit on file sizes stands in for it')
if (!canDrop) console.warn('SKIPPED: a read-only folder, since node cannot be run as nobody here')

describe('a full disk', { timeout: 180_000 }, () => {
  test.runIf(canMount).each(drawn([1, 2, COUNT + 1, 2 * COUNT], 2, 'effects before a full disk'))(
    'from effect %d on: what cannot be recorded is not sent; with space the next run goes on',
    { tags: ['longer'] },
    async (full) => {
      const world = await createFleet(COUNT, 300)
      const unmount = mountOver(join(world.folder, '.iac'))
      try {
        world.onEffect = () => void (world.effects.length === full && fill(join(world.folder, '.iac')))
        const ended = await world.run(apply)
        expect(ended).toMatchObject({ code: 8, stderr: expect.stringMatching(/no space is left/) })
        checkRecorded(world)
        rmSync(join(world.folder, '.iac', BALLAST))
        expect(await problemsAfterRerun(world, COUNT)).toEqual([])
        expect(countOf(world, 'create')).toBe(COUNT)
      } finally {
        unmount()
        await world.close()
      }
    },
  )

  test.runIf(canMount)('from the beginning: nothing is sent', async () => {
    const world = await createFleet(2, 300)
    const unmount = mountOver(join(world.folder, '.iac'))
    try {
      fill(join(world.folder, '.iac'))
      expect(await world.run(apply)).toMatchObject({ code: 1, stderr: expect.stringMatching(/no space is left/) })
      expect(world.effects).toEqual([])
      rmSync(join(world.folder, '.iac', BALLAST))
      expect(await problemsAfterRerun(world, 2)).toEqual([])
    } finally {
      unmount()
      await world.close()
    }
  })

  test.runIf(canMount).each(drawn([0, 8, 24], 1, 'room for a sandbox'))(
    'with %d KiB left is no place for a sandbox, which says so and leaves no half lock there',
    { tags: ['longer'] },
    async (leftKib) => {
      const folder = newFolder('sandbox')
      const words = [
        ['sandbox', '--data', '.iac/sandbox'],
        ['apply', '--sandbox', '--auto-approve'],
      ]
      writeFileSync(
        join(folder, 'a.yaml'),
        'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main, description: "", range: 10.0.0.0/24 }\n',
      )
      const unmount = mountOver(join(folder, '.iac'))
      try {
        fill(join(folder, '.iac'))
        truncateSync(join(folder, '.iac', BALLAST), statSync(join(folder, '.iac', BALLAST)).size - leftKib * 1024)
        for (const each of words) {
          const { code, stderr } = await runCli(each, { folder })
          expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot hold the data of a sandbox[^]*ENOSPC/)])
          expect(stderr).toContain('file_unwritable')
        }
        expect(readdirSync(join(folder, '.iac/sandbox')).filter((name) => name.includes('.own-'))).toEqual([])
      } finally {
        unmount()
      }
    },
  )

  test.each(drawn([4, 9, 14], 1, 'sizes of files'))('that takes no file above %d KiB: the same', { tags: ['longer'] }, async (sizeKib) => {
    const world = await createFleet(COUNT, 300)
    const words = `ulimit -f ${sizeKib}; exec "${process.execPath}" "${program()}" apply --auto-approve`
    const ended = await start('bash', ['-c', words], { cwd: world.folder, env: { ...world.environment, NODE_DISABLE_COMPILE_CACHE: '1' } }).ended
    expect(['8', '1']).toContain(String(ended.code))
    checkRecorded(world)
    expect(await problemsAfterRerun(world, COUNT)).toEqual([])
    expect(countOf(world, 'create')).toBe(COUNT)
    await world.close()
  })
})

describe('a folder that cannot be written', { timeout: 180_000 }, () => {
  test.runIf(canDrop)('stops an apply before any change, and a plan not at all', async () => {
    const world = await createFleet(2, 300)
    const shared = newFolder('shared')
    const project = join(shared, 'project')
    copyFolder(world.folder, project)
    cpSync(dirname(program()), join(shared, 'program'), { recursive: true })
    const { IAC_BASE_URL = '', IAC_TOKEN = '' } = world.environment
    const env = environmentFor(join(shared, 'home'), { IAC_BASE_URL, IAC_TOKEN })
    for (const folder of [shared, project, join(shared, 'program')]) chmodSync(folder, 0o755)
    const run = (...words: string[]) =>
      start('setpriv', [...nobody(), process.execPath, join(shared, 'program/main.js'), ...words], { cwd: project, env }).ended
    const refused = await run(...apply)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/permission is denied/) })
    expect(world.effects).toEqual([])
    expect(world.unannounced).toEqual([])
    expect(existsSync(join(project, '.iac'))).toBe(false)
    expect((await run('plan', '--detailed-exitcode')).code).toBe(2)
    rmSync(shared, { recursive: true })
    await world.close()
  })

  test('that is a file stops it, too', async () => {
    const world = await createFleet(2, 300)
    world.files({ '.iac': 'in the way' })
    const refused = await world.run(apply)
    expect(refused.code).toBe(1)
    expect(world.effects).toEqual([])
    expect(readFileSync(join(world.folder, '.iac'), 'utf8')).toBe('in the way')
    await world.close()
  })
})

/** State and journal are readable, and whatever was made is recorded or spoken of by an open intent. */
function checkRecorded(world: World): void {
  expect(world.unannounced).toEqual([])
  const { resources, open } = stateOf(world)
  const made = world.sandbox.world.tables.instances.all().map((one) => one.id)
  const loose = made.filter((id) => !resources.some((one) => one.id === id))
  expect(loose.length).toBeLessThanOrEqual(open.filter((one) => one.endsWith(' create')).length + recordedInJournal(world))
}

/** Creates whose answer stands in the journal. */
function recordedInJournal(world: World): number {
  const path = join(world.folder, '.iac/state.json.journal')
  return existsSync(path) ? (readFileSync(path, 'utf8').match(/"t":"accepted"/g) ?? []).length : 0
}

/** A small file system over a folder; gives what takes it away again. */
function mountOver(folder: string): () => void {
  mkdirSync(folder, { mode: 0o700 })
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return () => void spawnSync('umount', ['-l', folder])
}

/** Takes all the space that is left. */
function fill(folder: string): void {
  const file = openSync(join(folder, BALLAST), 'w', 0o600)
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}

function nobody(): string[] {
  return ['--reuid=65534', '--regid=65534', '--clear-groups', '--']
}

function mounts(): boolean {
  const folder = newFolder('mount')
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0
  if (isMounted) spawnSync('umount', [folder])
  rmdirSync(folder)
  return isMounted
}
