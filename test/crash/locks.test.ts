// Two runs on one state: one has it, the other one is told who, or waits.
import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { allCreated, countOf, createFleet, finishMaking, pause, problemsAfterRerun, until } from './fleet.ts'

const apply = ['apply', '--auto-approve']

describe('two applies at once', { timeout: 180_000 }, () => {
  test('the second is refused at once, and told who has the lock', async () => {
    const world = await createFleet(2)
    const first = world.start(apply)
    await allCreated(world, 2)
    const second = await world.run(apply)
    expect(second.code).toBe(7)
    expect(second.stderr).toContain(`process ${first.pid} on ${hostname()}`)
    expect(second.stderr).toContain('apply by ')
    expect((await world.look('status')).stdout).toContain(String(first.pid))
    finishMaking(world)
    expect((await first.ended).code).toBe(0)
    expect(countOf(world, 'create')).toBe(2)
    expect(await problemsAfterRerun(world, 2)).toEqual([])
    await world.close()
  })

  test('the second waits with --lock-timeout, and then finds nothing to do', async () => {
    const world = await createFleet(2)
    const first = world.start(apply)
    await allCreated(world, 2)
    const second = world.start([...apply, '--lock-timeout', '120s'])
    await pause(2000)
    finishMaking(world)
    expect(await second.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') })
    expect((await first.ended).code).toBe(0)
    expect(countOf(world, 'create')).toBe(2)
    await world.close()
  })

  test('a plan meanwhile needs no lock and writes nothing', async () => {
    const world = await createFleet(2)
    const first = world.start(apply)
    await allCreated(world, 2)
    expect((await world.run(['plan'])).code).toBe(0)
    finishMaking(world)
    expect((await first.ended).code).toBe(0)
    expect(await problemsAfterRerun(world, 2)).toEqual([])
    await world.close()
  })

  test('of four that start together exactly one has it', async () => {
    const world = await createFleet(2)
    const codes: (number | null)[] = []
    const all = Array.from({ length: 4 }, () => world.run(apply).then(({ code }) => codes.push(code)))
    await until('three are refused', () => codes.length === 3)
    await allCreated(world, 2)
    finishMaking(world)
    await Promise.all(all)
    expect(codes).toEqual([7, 7, 7, 0])
    expect(countOf(world, 'create')).toBe(2)
    expect(await problemsAfterRerun(world, 2)).toEqual([])
    await world.close()
  })

  test('the lock of a run that was killed is taken over at once', async () => {
    const world = await createFleet(2)
    const killed = await world.killed(apply, { label: 'Instance/node["n02"] current create', moment: 'after' })
    expect(killed.signal).toBe('SIGKILL')
    expect((await world.look('status')).stdout).toContain('Lock: free')
    finishMaking(world)
    world.sandbox.world.courses.length = 0
    expect(await problemsAfterRerun(world, 2)).toEqual([])
    expect(countOf(world, 'create')).toBe(2)
    await world.close()
  })
})
