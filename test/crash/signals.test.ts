// Signals and closed pipes: ^C once, twice, SIGTERM, SIGHUP, a reader that goes away, and a process that is paused.
import { describe, expect, test } from 'vitest'
import { drawn } from '../builders/long-form.ts'
import { problemsOfFiles, stateOf } from './checks.ts'
import { allCreated, countOf, createFleet, finishMaking, pause, problemsAfterRerun, until } from './fleet.ts'
import { program, start } from './program.ts'

const apply = ['apply', '--auto-approve']

describe('^C', { timeout: 180_000 }, () => {
  test('once: no request that changes anything is sent any more, what runs is waited for and recorded', async () => {
    const world = await createFleet(5)
    const running = world.start(apply)
    await allCreated(world, 5)
    const before = world.effects.length
    process.kill(running.pid, 'SIGINT')
    await until('it says so', () => running.printed().stderr.includes('nothing more is begun'))
    finishMaking(world)
    expect(await running.ended).toMatchObject({ code: 130, signal: null })
    expect(world.effects.slice(before)).toEqual([])
    const { resources, open } = stateOf(world)
    expect(open).toEqual([])
    expect(resources.map((one) => one.id).toSorted()).toEqual(
      world.sandbox.world.tables.instances
        .all()
        .map((one) => one.id)
        .toSorted(),
    )
    expect(world.sandbox.world.tables.instances.all().every((one) => one.state === 'AVAILABLE')).toBe(true)
    expect(await problemsAfterRerun(world, 5)).toEqual([])
    expect(countOf(world, 'create')).toBe(5)
    await world.close()
  })

  test('before anything was sent: 130, and nothing is changed', async () => {
    const world = await createFleet(2)
    const running = world.start(apply)
    world.sandbox.faults.hook = () => {
      process.kill(running.pid, 'SIGINT')
      return { delayMs: 100 }
    }
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(world.sandbox.world.tables.instances.all()).toEqual([])
    await world.close()
  })

  test('while a part of the creates is under way: those are waited for, the rest is not begun', async () => {
    const world = await createFleet(6)
    const running = world.start([...apply, '--parallelism', '2'])
    await allCreated(world, 2)
    process.kill(running.pid, 'SIGINT')
    await until('it says so', () => running.printed().stderr.includes('nothing more is begun'))
    finishMaking(world)
    expect((await running.ended).code).toBe(130)
    expect(world.effects.length).toBe(2)
    expect(stateOf(world).resources.length).toBe(2)
    world.sandbox.world.courses.length = 0
    expect(await problemsAfterRerun(world, 6)).toEqual([])
    expect(countOf(world, 'create')).toBe(6)
    await world.close()
  })
})

describe('what ends at once', { timeout: 180_000 }, () => {
  const ends = [
    { name: '^C twice', signals: ['SIGINT', 'SIGINT'], code: 130 },
    { name: 'SIGTERM', signals: ['SIGTERM'], code: 143 },
    { name: 'SIGHUP', signals: ['SIGHUP'], code: 143 },
    { name: '^C, then SIGTERM, as CI cancels', signals: ['SIGINT', 'SIGTERM'], code: 143 },
  ] as const
  test.each(drawn(ends, 2, 'signals that end at once'))('$name: nothing is lost', { tags: ['longer'] }, async ({ signals, code }) => {
    const world = await createFleet(4)
    const running = world.start(apply)
    await allCreated(world, 4)
    for (const signal of signals) {
      process.kill(running.pid, signal)
      await pause(150)
    }
    expect(await running.ended).toMatchObject({ code, signal: null })
    expect(world.sandbox.world.tables.instances.all().map((one) => one.state)).toEqual(['PENDING', 'PENDING', 'PENDING', 'PENDING'])
    expect(problemsOfFiles(world)).toEqual([])
    finishMaking(world)
    expect(await problemsAfterRerun(world, 4)).toEqual([])
    expect(countOf(world, 'create')).toBe(4)
    await world.close()
  })
})

describe('a reader that goes away', { timeout: 180_000 }, () => {
  const readers = [
    ['standard output', '| head -1'],
    ['both streams', '2>&1 | head -1'],
  ]
  test.each(drawn(readers, 1, 'readers that go away'))('%s: the apply goes on to its end', { tags: ['longer'] }, async (_, pipe) => {
    const world = await createFleet(3, 500)
    const words = `"${process.execPath}" "${program()}" apply --auto-approve ${pipe}; exit "\${PIPESTATUS[0]}"`
    const ended = await start('bash', ['-c', words], { cwd: world.folder, env: { ...world.environment } }).ended
    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(stateOf(world).resources.map((one) => one.status)).toEqual(['ready', 'ready', 'ready'])
    expect(await problemsAfterRerun(world, 3)).toEqual([])
    expect(countOf(world, 'create')).toBe(3)
    await world.close()
  })
})

describe('a process that is paused', { timeout: 180_000 }, () => {
  test('goes on where it was; nobody takes its lock meanwhile', async () => {
    const world = await createFleet(3)
    const running = world.start(apply)
    await allCreated(world, 3)
    process.kill(running.pid, 'SIGSTOP')
    const second = await world.run(apply)
    finishMaking(world)
    await pause(1000)
    process.kill(running.pid, 'SIGCONT')
    expect(second.code).toBe(7)
    expect((await running.ended).code).toBe(0)
    expect(await problemsAfterRerun(world, 3)).toEqual([])
    expect(countOf(world, 'create')).toBe(3)
    await world.close()
  })

  test('whose lock was broken changes nothing any more once it wakes up', async () => {
    const world = await createFleet(3)
    const running = world.start(apply)
    await allCreated(world, 3)
    process.kill(running.pid, 'SIGSTOP')
    finishMaking(world)
    const refused = await world.run(apply)
    const id = /lock ([0-9a-f]{32})/.exec(refused.stderr)?.[1] ?? ''
    expect((await world.run(['state', 'unlock', id, '--auto-approve'])).code).toBe(0)
    expect((await world.run(apply)).code).toBe(0)
    const { resources } = stateOf(world)
    const sent = world.effects.length
    process.kill(running.pid, 'SIGCONT')
    const woken = await running.ended
    expect(woken.code).toBe(8)
    expect(world.effects.length).toBe(sent)
    expect(stateOf(world).resources).toEqual(resources)
    expect(await problemsAfterRerun(world, 3)).toEqual([])
    expect(countOf(world, 'create')).toBe(3)
    await world.close()
  })
})
