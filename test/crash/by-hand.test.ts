// What people do by hand, killed with -9: the next apply waits for it, asks for nothing twice, and leaves what the manifests say.
import { describe, expect, test } from 'vitest'
import { drawn } from '../builders/long-form.ts'
import { stateOf } from './checks.ts'
import { pause, problemsAfterRerun, until } from './fleet.ts'
import { createWorld } from './world.ts'
import type { Moment, World } from './world.ts'

const project = 'apiVersion: iac/v1\nkind: Project\nname: hand\nprovider: { compat: { settle_window: 1s, read_grace: 1s } }\n'

function document(kind: string, name: string, spec: object): string {
  return `${JSON.stringify({ apiVersion: 'iac/v1', kind, metadata: { name }, spec })}\n`
}

/** An instance that is on, and a service with this environment. */
function manifests(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const documents = [
    document('Instance', 'node', { type: 'PLAN', plan: 'ryzen-4', region: 'fra-1', power: 'ON' }),
    document('K3sCluster', 'main', {}),
    document('K3sNode', 'one', { instance: 'node' }),
    document('K3sService', 'shop', { image: 'nginx:1.28', mode: 'SPREAD', target_instances: ['node'], environment }),
  ]
  return { 'iac.yaml': project, 'main.yaml': documents.join('---\n') }
}

/** What the manifests ask for, as it is at the service. */
function standing({ sandbox: { world } }: World): unknown {
  const [service] = world.tables.clusterServices.all().map(({ status, revision: { image, environment } }) => ({ status, image, environment }))
  return { power: world.tables.instances.all().map((one) => one.online), service }
}

const commands = [
  ['power Instance/node off', 'power off'],
  ['rollback K3sService/shop', 'rollback'],
  ['redeploy K3sService/shop', 'redeploy'],
] as const
const moments: readonly Moment[] = ['before', 'after', 'answered']
const cases = commands.flatMap(([words, step]) => moments.map((moment) => ({ words, step, moment })))

/** A world in which two revisions were applied, the second one last. */
async function appliedTwice(): Promise<World> {
  const world = await createWorld()
  for (const environment of [{ A: 'one' }, { A: 'two' }]) {
    world.files(manifests(environment))
    expect(await world.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  }
  return world
}

describe('what is done by hand and killed', { timeout: 180_000 }, () => {
  test.each(drawn(cases, 2, 'killed by hand'))('$moment its request: $words', { tags: ['longer'] }, async ({ words, step, moment }) => {
    const world = await appliedTwice()
    const wanted = standing(world)
    const before = world.effects.length
    expect((await world.killed([...words.split(' '), '--auto-approve'], { label: undefined, moment })).signal).toBe('SIGKILL')
    expect((await world.look('status')).stdout).toMatch(new RegExp(`${words.split(' ')[1]} +${step}`))
    expect(await world.look('drift')).toMatchObject({ code: 0 })
    expect(await problemsAfterRerun(world, 4)).toEqual([])
    // Attempts count: it is no business of an apply to do it after all, nor to do it twice.
    expect(world.effects.slice(before).filter((one) => one.step === step).length).toBe(1)
    expect(standing(world)).toEqual(wanted)
    expect(stateOf(world).resources.flatMap((one) => one.uncertain)).toEqual([])
    await world.close()
  })

  test('while it waits for reads that show what a rollback left: that is in doubt, and the next apply puts it right', async () => {
    const world = await appliedTwice()
    const wanted = standing(world)
    const running = world.start(['rollback', 'K3sService/shop', '--auto-approve'])
    const hasEnded = (): boolean => world.sandbox.world.tables.workflows.all().some((one) => one.name === 'k3s.service.rollback' && one.state === 'COMPLETED')
    await until('its workflow ends', hasEnded)
    await pause(300)
    process.kill(running.pid, 'SIGKILL')
    expect((await running.ended).signal).toBe('SIGKILL')
    expect((await world.look('status')).stdout).toMatch(/K3sService\/shop +rollback/)
    expect(await problemsAfterRerun(world, 4)).toEqual([])
    expect(standing(world)).toEqual(wanted)
    await world.close()
  })
})
