// Instances, disks, addresses and VPCs against a small reference model: every status and every list, after every command.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { campaign, seedFor } from '../../test/builders/long-form.ts'
import { fc } from '../../test/builders/properties.ts'
import type { Bench } from '../../test/builders/sandbox-bench.ts'
import { createBench } from '../../test/builders/sandbox-bench.ts'
import type { ModelReadings } from '../../test/builders/sandbox-model.ts'
import { advanceModel, createModel, modelQuota, shownByModel } from '../../test/builders/sandbox-model.ts'
import { moves } from '../../test/builders/sandbox-moves.ts'

const MOST_RUNS = 400
const RUNS = campaign(MOST_RUNS, 120, 15)

const readings: fc.Arbitrary<ModelReadings> = fc.record({
  extraDisks: fc.constantFrom('detached' as const, 'deleted' as const),
  grantedIps: fc.constantFrom('deleted' as const, 'kept' as const),
})
/** What others need, or needs others. */
const often = ['createInstance', 'createDisk', 'createIp', 'attachDisk', 'attachIp', 'attachDisk', 'attachIp', 'resizeDisk']
const small = fc.nat({ max: 5 })
const command = fc.record({
  move: fc.constantFrom(...Object.keys(moves), ...often),
  a: small,
  b: small,
  gib: fc.integer({ min: 1, max: 60 }),
  fails: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom('nothing' as const, 'failed' as const) }),
  // What passes before it: none, less than any workflow takes, about one, or enough for all.
  afterMs: fc.constantFrom(0, 0, 50, 150, 250, 1000, 1000),
})

/** Something of everything stands before the commands that were drawn. */
const prelude = ['createVpc', 'createInstance', 'createDisk', 'createIp'].map((move) => ({ move, a: 0, b: 0, gib: 6, fails: undefined, afterMs: 1000 }))

const id = z.string()
const lists = {
  instances: z.object({ items: z.array(z.object({ id, state: z.string(), online: z.boolean(), vpcs: z.array(z.object({ id })) })) }),
  disks: z.object({ items: z.array(z.object({ id, boot: z.boolean(), size: z.number(), state: z.string(), instance: id.nullable() })) }),
  ips: z.object({ items: z.array(z.object({ id, instance: id.nullable() })) }),
  vpcs: z.object({ items: z.array(z.object({ id })) }),
  members: z.object({ items: z.array(z.object({ instance: z.object({ id }) })) }),
}

/** The service's side of every list. */
async function shown({ call, wid }: Bench) {
  const get = async <T>(schema: z.ZodType<T>, path: string): Promise<T> => schema.parse((await call({ method: 'GET', path: `/v1/${path}` })).body)
  const instances = (await get(lists.instances, `workspaces/${wid}/instances`)).items
  const vpcs = []
  for (const vpc of (await get(lists.vpcs, `workspaces/${wid}/vpcs`)).items) {
    const { items } = await get(lists.members, `vpcs/${vpc.id}/instances`)
    vpcs.push({ id: vpc.id, members: items.map(({ instance }) => instance.id) })
  }
  return {
    instances: instances.map((row) => ({ ...row, vpcs: row.vpcs.map((vpc) => vpc.id) })),
    disks: (await get(lists.disks, `workspaces/${wid}/disks`)).items,
    ips: (await get(lists.ips, `workspaces/${wid}/ips`)).items,
    vpcs,
  }
}

test('the service and the model agree after every command', { timeout: 600_000, tags: ['longer'] }, async () => {
  const reached = new Set<string>()
  const missed = (): readonly string[] => Object.keys(moves).filter((name) => !reached.has(name))
  const agree = (seed: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(readings, fc.array(command, { minLength: 1, maxLength: 80, size: 'max' }), async (chosen, commands) => {
        const bench = createBench({ quota: modelQuota, readings: chosen })
        const model = createModel(bench.wid, chosen)
        for (const { move: name, fails, afterMs, ...draw } of [...prelude, ...commands]) {
          await bench.clock.advance(afterMs)
          advanceModel(model, afterMs)
          const move = moves[name]?.(model, draw)
          if (!move) throw new Error(`no move ${name}`)
          const { call, status, operation } = move
          const isAccepted = status < 300
          if (isAccepted && operation !== undefined && fails) bench.sandbox.world.courses.push({ operation, outcome: 'FAILED', leaves: fails })
          const answer = await bench.call(call)
          expect([name, answer.status]).toEqual([name, status])
          if (isAccepted) move.accept(answer.body, fails)
          advanceModel(model, 0)
          expect(await shown(bench)).toEqual(shownByModel(model))
          if (isAccepted) reached.add(name)
        }
      }),
      { numRuns: RUNS, seed },
    )
  const first = seedFor('commands of the model')
  await agree(first)
  // Few runs may miss a move that is rarely accepted: others are drawn then, as many as the long form has.
  for (let more = 1; missed().length > 0 && more * RUNS < 2 * MOST_RUNS; more += 1) await agree(first + more)
  // Runs that never got anywhere would agree as well.
  expect(missed()).toEqual([])
})
