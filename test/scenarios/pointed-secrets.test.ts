// Whatever settings point at: a live secret is in no plan, state, drift, listing, message or trace.
import { expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { compatSchema } from '../../src/api/calls/compat.ts'
import { createClient } from '../../src/api/client.ts'
import { routes } from '../../src/api/routes/routes.ts'
import type { Transport } from '../../src/api/transport/wire.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { stringifyJson } from '../../src/base/json.ts'
import { listIn } from '../../src/cli/context/listed-objects.ts'
import { toJson } from '../../src/engine/model/live.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { canariesIn } from '../builders/canaries.ts'
import { manifest } from '../builders/project.ts'
import { randomOf } from '../builders/random-of.ts'
import { answer, double } from '../builders/wire-double.ts'
import { createWorld } from '../builders/world.ts'
import { all, instance, project } from './stage.ts'

const canary = 'CANARY-live-9911'
const texts = {
  'iac.yaml': project('outputs: { shown: { value: "${BgpConfiguration[\'bgp\'].instance}" }, max: { value: "${BgpConfiguration[\'bgp\'].max_prefixes}" } }\n'),
  'main.yaml': all(instance('web'), manifest('BgpConfiguration', 'bgp', 'asn: 64512\ninstance: web\nmax_prefixes: 8')),
}

/** Everything that answers of BGP may hold beside the password that the document shows. */
const more = `"session":{"password":"${canary}","id":"${canary}"},"Password":"${canary}","uri":"bgp://x:${canary}@h","peers":[{"password":"${canary}"}],"note":"${canary}"`
const leaking =
  (inner: Transport): Transport =>
  async (request) => {
    const response = await inner(request)
    if (!request.path.endsWith('/bgp')) return response
    const leak = (text: string) => text.replace(/"data":\{/, `"data":{${more},`).replace(/"password":null/, `"password":"${canary}"`)
    return { ...response, text: async (most) => leak(await response.text(most)) }
  }

test.each([
  ['/password', 'the member itself'],
  ['/session/password', 'a nested one'],
  ['/session', 'what is around it'],
  ['/Password', 'another case'],
  ['/peers', 'a list of them'],
  ['/peers/0/password', 'an entry'],
  ['/uri', 'a text that holds it'],
  ['/note', 'a text that repeats it'],
])('pointed at %s: %s', async (pointer) => {
  const fields = Object.fromEntries(['instance', 'asn', 'max_prefixes', 'id'].map((name) => [`BgpConfiguration.${name}`, name === 'id' ? '/id' : pointer]))
  const world = createWorld({ transport: leaking, compat: { fields } })
  const done = await world.apply(texts)
  const { plan } = await world.plan(texts)
  const drift = await world.plan(texts, { refreshOnly: true })
  await world.refresh(texts)
  const bgp = kinds.find((kind) => kind.outputs['id'] && kind.fields['password']?.secret)
  if (!bgp) throw new Error('no kind has a secret that is answered')
  const { client, compat } = world.run()
  const looked = await listIn({ client, compat, kinds }, bgp, String(plan.changes.find((one) => one.kind === bgp.name)?.workspace_id))
  const kept = [...world.fileSystem.files()].map(([, bytes]) => new TextDecoder().decode(bytes)).join('\n')
  const places = { plan: toJson(plan), drift: toJson(drift.plan), looked: toJson(looked), done: toJson(done), events: toJson(world.events), kept }
  expect(looked).toHaveLength(1)
  expect(Object.entries(places).filter(([, one]) => canariesIn(stringifyJson(one), [canary]).length > 0)).toEqual([])
})
test('what an answer marks as secret is in no message and no trace that follows', async () => {
  const traces: string[] = []
  const wire = double((request) =>
    request.path.endsWith('/bgp') ? answer(200, { data: { id: '1' }, live: { password: canary } }) : answer(400, {}, { 'x-message': `no ${canary} here` }),
  )
  const parts = { transport: wire.transport, token: 't'.repeat(40), clock: virtualClock(), random: randomOf(1), userAgent: 'iac/0' }
  const client = createClient({
    ...parts,
    compat: compatSchema.parse({}),
    onTrace: (event) => traces.push(JSON.stringify({ ...event, request: event.request() })),
  })
  await client.read(call(routes.getBgp, { wid: '1' }))
  const error = await client.read(call(routes.getVpc, { vid: '2' })).catch((one: unknown) => String(one))
  expect(error).toContain('(sensitive value)')
  expect(canariesIn(`${JSON.stringify(error)}${traces.join('')}`, [canary])).toEqual([])
})
