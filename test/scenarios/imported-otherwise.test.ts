// An import of an object that says more than its manifest, where leaving that out says something: it is another one.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance } from './stage.ts'

const rule = (spec: string, metadata = ''): string =>
  manifest('FirewallRule', 'ssh', `instance: web\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\n${spec}`, metadata)

test.each([
  ['more ports', 'port_start: 22\nport_end: 65535', 'port_start: 22'],
  ['fewer sources', 'port_start: 22\nremote: 10.0.0.0/8', 'port_start: 22'],
  ['fewer sources than the default that is written', 'port_start: 22\nremote: 10.0.0.0/8', 'port_start: 22\nremote: 0.0.0.0/0'],
  ['fewer destinations', 'port_start: 22\nlocal: 10.1.0.0/16', 'port_start: 22'],
  ['a limit', 'port_start: 22\nbps_limit: 5', 'port_start: 22'],
])('a rule with %s than its manifest is not taken for it', async (_, there, said) => {
  const world = createWorld()
  const made = await world.apply(all(instance('web'), rule(there)))
  const [id, web] = ['FirewallRule', 'Instance'].map((kind) => made.document.resources.find((one) => one.kind === kind)?.id ?? '')
  const other = world.beside()
  const imports = (spec: string) => all(instance('web', '', `import: { id: "${web}" }`), rule(spec, `import: { id: "${id}" }`))
  expect(brief((await other.plan(imports(there))).plan).filter((one) => one.includes('Firewall'))).toEqual([expect.stringMatching(/^import FirewallRule\/ssh/)])
  const { plan } = await other.plan(imports(said))
  expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([{ code: 'import_replaced', address: 'FirewallRule/ssh' }])
  const sent = effects(world)
  expect((await other.apply(imports(said))).exitCode).toBe(3)
  expect(sent).toEqual([])
})
