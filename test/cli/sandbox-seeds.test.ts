// Seeds, presets and data folders of `iac sandbox`: whole or not at all, under every reading, and what drifted for all to see.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { runCommand } from '../../src/cli/program.ts'
import { assumptions } from '../../src/sandbox/readings/assumptions.ts'
import { drawn } from '../builders/long-form.ts'
import { newFolder, runCli, surroundingsFor } from './run-cli.ts'
import { named, serving, workspaceOf } from './serve-sandbox.ts'

const vpc = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main, description: "", range: 10.1.0.0/24 }\n'

describe('a seed', () => {
  test('that fails leaves a folder that the next one fills', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'seed.yaml'), `${vpc}---\n${vpc.replace('10.1.0.0/24', '10.1.0.0/40').replaceAll('main', 'two')}`)
    expect((await runCli(['sandbox', '--data', 'd', '--seed', 'seed.yaml'], { folder })).code).toBe(3)
    writeFileSync(join(folder, 'seed.yaml'), vpc)
    await serving(folder, ['--data', 'd', '--seed', 'seed.yaml'], async ({ api, control }) => {
      expect(await api('GET', `/v1/workspaces/${await workspaceOf(control)}/vpcs`)).toMatchObject(named('main'))
    })
    // What it made is there again, and that nothing is seeded is said on standard error, with --json too.
    await serving(folder, ['--data', 'd', '--seed', 'seed.yaml'], async ({ api, control, printed }) => {
      expect(await api('GET', `/v1/workspaces/${await workspaceOf(control)}/vpcs`)).toMatchObject(named('main'))
      expect(printed.stderr).toBe('d holds data already: nothing is seeded\n')
    })
  })

  const seen = Object.entries(assumptions).flatMap(([name, row]) => ('compat' in row ? Object.keys(row.compat).map((value) => `${name}=${value}`) : []))
  test.each(drawn(seen, 3, 'readings of seeds'))('is applied under the reading %s', { tags: ['longer'] }, (reading) =>
    serving(newFolder(), ['--preset', 'small-team', '--reading', reading], async ({ api, control }) => {
      expect(await api('GET', `/v1/workspaces/${await workspaceOf(control)}/vpcs`)).toMatchObject({ status: 200 })
    }),
  )

  test.each(drawn(['4', '5', '6', '8', '12'], 1, 'drawn readings of seeds'))('is applied under the readings drawn by %s', { tags: ['longer'] }, (seed) =>
    serving(newFolder(), ['--preset', 'production-like', '--readings-seed', seed], async ({ control }) => {
      expect(await control('GET', '/clock')).toMatchObject({ body: { open_workflows: 0 } })
    }),
  )
})

test('a reset goes back to what was seeded, its faults included', () =>
  serving(newFolder(), ['--preset', 'small-team', '--fault', 'expired-token'], async ({ control }) => {
    const seeded = await control('GET', '/state')
    await control('DELETE', '/faults/presets/expired-token')
    await control('POST', '/clock/advance', { ms: 86_400_000 })
    await control('POST', '/reset', {})
    const tables = (state: unknown) => z.object({ body: z.object({ tables: z.record(z.string(), z.unknown()) }) }).parse(state).body.tables
    expect(tables(await control('GET', '/state'))).toEqual(tables(seeded))
    expect(JSON.stringify(await control('GET', '/faults'))).toContain('expired-token')
  }))

test('a reset goes back to what was seeded also after a restart, and to nothing where nothing was', async () => {
  const folder = newFolder()
  const words = ['--data', 'd', '--preset', 'small-team', '--clock', 'frozen']
  const tables = (state: unknown) => z.object({ body: z.object({ clock: z.string(), tables: z.record(z.string(), z.unknown()) }) }).parse(state).body
  let seeded: unknown
  await serving(folder, words, async ({ control }) => void (seeded = tables(await control('GET', '/state'))))
  await serving(folder, words, async ({ api, control }) => {
    const path = `/v1/workspaces/${await workspaceOf(control)}/vpcs`
    expect(await api('POST', path, { name: 'more', description: '', range: '10.9.0.0/24' })).toMatchObject({ status: 201 })
    await control('POST', '/reset', {})
    expect(tables(await control('GET', '/state'))).toEqual(seeded)
  })
  // A folder whose seed was never done has none to go back to.
  for (const name of readdirSync(join(folder, 'd'))) if (name !== 'lock' && name !== 'origin.json') rmSync(join(folder, 'd', name))
  await serving(folder, ['--data', 'd'], async ({ control }) => void (seeded = tables(await control('GET', '/state'))))
  await serving(folder, ['--data', 'd'], async ({ api, control }) => {
    const path = `/v1/workspaces/${await workspaceOf(control)}/vpcs`
    await control('POST', '/reset', {})
    expect(await api('GET', path)).toMatchObject({ body: { items: [] } })
  })
})

test('the preset drifted names its project at each start on its data', async () => {
  const folder = newFolder()
  const started = async (): Promise<string> => {
    const [printed, stop] = [{ stdout: '', stderr: '' }, new AbortController()]
    const ended = runCommand(['sandbox', '--data', 'd', '--preset', 'drifted'], { ...surroundingsFor({ folder }, printed), stop: stop.signal })
    await vi.waitFor(() => expect(printed.stdout).toContain('^C stops it'), 20_000)
    stop.abort()
    expect(await ended).toBe(0)
    return printed.stdout
  }
  const line = '  what was changed by hand: iac drift --dir d/.iac/preset-drifted\n'
  expect(await started()).toContain(line)
  expect(await started()).toContain(line)
})

test('the preset drifted comes with the project in which it shows, and which repairs it', async () => {
  const folder = newFolder()
  await serving(folder, ['--preset', 'drifted'], async ({ address }) => {
    const environment = { IAC_BASE_URL: address.url }
    const run = (...words: string[]) => runCli([...words, '--dir', '.iac/preset-drifted'], { folder, environment, token: address.token })
    const drift = await run('drift')
    expect(drift.code).toBe(2)
    for (const what of ['Vpc/', 'FirewallRule/', 'Instance/', 'BgpPrefix/']) expect(drift.stdout).toContain(what)
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    expect((await run('drift')).code).toBe(0)
  })
})

test.each([[[]], [['--data', 'd']]])('the project of the preset drifted is none of the project around it (%j)', async (words) => {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), vpc)
  await serving(folder, [...words, '--preset', 'drifted'], async () => undefined)
  const place = join(folder, ...words.slice(1), '.iac/preset-drifted')
  expect(readdirSync(place)).toContain('iac.yaml')
  const planned = await runCli(['plan', '--sandbox', '--json'], { folder })
  expect(
    z
      .object({ changes: z.array(z.object({ address: z.string() })) })
      .parse(JSON.parse(planned.stdout))
      .changes.map((one) => one.address),
  ).toEqual(['Vpc/main'])
})

describe('the place of a sandbox', () => {
  const left = z.object({ url: z.string() })
  test('keeps the address of the one that was started last', async () => {
    const folder = newFolder()
    const env = async (): Promise<string> => left.parse(JSON.parse((await runCli(['sandbox', 'env', '--json'], { folder })).stdout)).url
    await serving(folder, [], async ({ address: first }) => {
      expect(await env()).toBe(first.url)
    })
    expect((await runCli(['sandbox', 'env'], { folder })).code).toBe(3)
    let second = ''
    let over = (): void => undefined
    const ended = new Promise<void>((resolve) => (over = resolve))
    let later: Promise<void> | undefined
    await serving(folder, [], async () => {
      await new Promise<void>((ready) => {
        later = serving(folder, [], async ({ address }) => {
          second = address.url
          ready()
          await ended
        })
      })
    })
    expect(await env()).toBe(second)
    over()
    await later
    expect(existsSync(join(folder, '.iac/sandbox-running.json'))).toBe(false)
  })

  test('that cannot hold data is said, and nothing else', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    for (const [place, why] of [
      ['file', 'it is no folder'],
      ['file/below', 'what it is to lie in is no folder'],
      ['/proc/iac-data', 'it cannot be made there'],
    ] as const) {
      const ran = await runCli(['sandbox', '--data', place], { folder })
      const text = `error: ${resolve(folder, place)} cannot hold the data of a sandbox: ${why}\n  hint: name an empty folder, or a new one\n  code: usage\n`
      expect([ran.code, ran.stderr]).toEqual([3, text])
    }
    writeFileSync(join(folder, '.iac'), '')
    expect((await runCli(['sandbox'], { folder })).stderr).toContain('sandbox-running.json cannot be written')
  })

  test('that another sandbox has says who, and what to do', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'd'))
    await serving(folder, ['--data', 'd'], async () => {
      const ran = await runCli(['sandbox', '--data', 'd'], { folder })
      expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("the sandbox's data in")])
      expect(ran.stderr).not.toContain('state unlock')
    })
    expect(readdirSync(join(folder, 'd'))).toContain('snapshot.json')
  })
})
