// Rules of an instance whose limit is reached: who gets in over SSH keeps getting in while they change.
import { describe, expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, instance, rule, said } from './stage.ts'

const accept = (name: string, port: number, more = ''): string => rule(name, `action: ACCEPT\nport_start: ${port}\n${more}`)
const web = (...rules: readonly string[]): string => all(instance('web'), ...rules)
const higher = 'priority: 9'

/** A world whose instances take so many rules, with these in place. */
async function full(limit: number, ...rules: readonly string[]): Promise<World> {
  const world = createWorld({
    compat: { firewall_quota: 'instance' },
    sandbox: { quota: { firewall_rules_per_ip: limit }, readings: { firewallQuota: 'instance' } },
  })
  expect((await world.apply(web(...rules))).exitCode).toBe(0)
  return world
}

const portsOf = (world: World): (number | null)[] => world.sandbox.world.tables.firewallRules.all().map((one) => one.portStart)

/** What is created and deleted, by port, and how many rules admit SSH after each request that was carried out. */
function watch(world: World): { readonly sent: string[]; fewest(): number } {
  const sent: string[] = []
  let fewest = Infinity
  const look = (): void => {
    fewest = Math.min(fewest, portsOf(world).filter((port) => port === 22).length)
  }
  world.sandbox.faults.hook = ({ method, path, body }) => {
    look()
    const old = world.sandbox.world.tables.firewallRules.all().find((one) => one.id === path.split('/').at(-1))
    if (method === 'DELETE') sent.push(`- ${old?.portStart}`)
    if (method === 'POST') sent.push(`+ ${JSON.parse(body ?? '{}').port_start}`)
    return undefined
  }
  return {
    sent,
    fewest() {
      look()
      return fewest
    },
  }
}

describe('where an instance has no room for another rule', () => {
  test('rules that are replaced as well make room, and the new rule of SSH comes before the old one goes', async () => {
    const world = await full(3, accept('ssh', 22), accept('http', 80), accept('tls', 443))
    const wanted = web(accept('ssh', 22, higher), accept('http', 80, higher), accept('tls', 443))
    const { plan } = await world.plan(wanted)
    expect(brief(plan).toSorted()).toEqual([
      '+/- replace FirewallRule/ssh (immutable_field): create, delete',
      'replace FirewallRule/http (immutable_field): delete, create',
    ])
    expect(said(plan).filter((one) => one.includes('firewall_rules_per_ip'))).toEqual([])
    expect(plan.quota).toMatchObject([{ name: 'firewall_rules_per_ip', used: 3, after: 3, limit: 3, exceeded: false }])
    const { sent, fewest } = watch(world)
    const done = await world.apply(wanted)
    expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 2, destroyed: 2, failed: [] }])
    expect([sent, fewest()]).toEqual([['- 80', '+ 22', '- 22', '+ 80'], 1])
  })

  test('a rule that is removed makes room, too; so does one for a new rule of SSH with another name', async () => {
    for (const wanted of [web(accept('ssh', 22, higher)), web(accept('login', 22, higher))]) {
      const world = await full(2, accept('ssh', 22), accept('http', 80))
      const { sent, fewest } = watch(world)
      expect((await world.apply(wanted)).exitCode).toBe(0)
      expect([sent, fewest()]).toEqual([['- 80', '+ 22', '- 22'], 1])
    }
  })

  test('one that is forced to come first waits for that room as well', async () => {
    const forced = 'lifecycle: { create_before_destroy: true }'
    const ssh = (more: string): string => rule('ssh', `action: ACCEPT\nport_start: 22\n${more}`, forced)
    const world = await full(2, ssh(''), accept('http', 80))
    const { sent, fewest } = watch(world)
    expect((await world.apply(web(ssh(higher), accept('http', 81)))).exitCode).toBe(0)
    expect([sent, fewest()]).toEqual([['- 80', '+ 22', '- 22', '+ 81'], 1])
  })

  test('a new rule of SSH that is refused leaves the old one', async () => {
    const world = await full(2, accept('ssh', 22), accept('http', 80))
    world.sandbox.faults.hook = ({ body }) => (body?.includes('"port_start":22') ? { status: 400, message: 'no' } : undefined)
    expect((await world.apply(web(accept('ssh', 22, higher), accept('http', 80, higher)))).exitCode).toBe(8)
    expect(portsOf(world)).toEqual([22])
  })

  test('only where nothing else makes room the old one goes first, and the plan names it', async () => {
    const warning =
      'advice FirewallRule/ssh: firewall_rules_per_ip (2) leaves no room for it, so its old object goes first; ' +
      'if the new rule is refused, SSH may stay shut until a run makes it'
    const world = await full(2, accept('ssh', 22), accept('http', 80))
    const wanted = web(accept('ssh', 22, higher), accept('http', 80))
    const { plan } = await world.plan(wanted)
    expect(brief(plan)).toEqual(['replace FirewallRule/ssh (immutable_field): delete, create'])
    expect(said(plan)).toContain(warning)
    const { sent } = watch(world)
    expect((await world.apply(wanted)).exitCode).toBe(0)
    expect(sent).toEqual(['- 22', '+ 22'])
  })

  test('the room of one is for one after the other', async () => {
    const world = await full(3, accept('a', 22), accept('b', 22, 'priority: 3'), accept('http', 80))
    const wanted = web(accept('a', 22, higher), accept('b', 22, 'priority: 8'))
    const { plan } = await world.plan(wanted)
    expect(brief(plan).filter((one) => one.includes('replace'))).toEqual([
      '+/- replace FirewallRule/a (immutable_field): create, delete',
      '+/- replace FirewallRule/b (immutable_field): create, delete',
    ])
    expect(said(plan).filter((one) => one.includes('leaves no room'))).toEqual([])
    const { sent, fewest } = watch(world)
    expect((await world.apply(wanted)).exitCode).toBe(0)
    expect([sent, fewest()]).toEqual([['- 80', '+ 22', '- 22', '+ 22', '- 22'], 2])
  })

  test('where all change, by the addresses of the instance, too, one is away, and each new one takes the place of an old one', async () => {
    const world = createWorld({
      compat: { firewall_quota: 'address' },
      sandbox: { quota: { firewall_rules_per_ip: 2 }, readings: { firewallQuota: 'address' } },
    })
    const [ssh, ...others] = [22, 80, 443, 8080].map((port) => (more: string) => accept(`r${port}`, port, more))
    const whole = (more: string): string => web(...[ssh, ...others].flatMap((one) => one?.(more) ?? []))
    expect((await world.apply(whole(''))).exitCode).toBe(0)
    const { sent, fewest } = watch(world)
    expect((await world.apply(whole(higher))).exitCode).toBe(0)
    expect([sent, fewest()]).toEqual([['- 8080', '+ 22', '- 22', '+ 443', '- 443', '+ 80', '- 80', '+ 8080'], 1])
  })

  test('where only SSH can make room for SSH, one of two stays', async () => {
    const world = await full(2, accept('a', 22), accept('b', 22, 'priority: 3'))
    const wanted = web(accept('a', 22, higher), accept('b', 22, 'priority: 8'))
    const { plan } = await world.plan(wanted)
    expect(said(plan).filter((one) => one.includes('leaves no room'))).toEqual([expect.stringContaining('FirewallRule/b')])
    const { fewest } = watch(world)
    expect((await world.apply(wanted)).exitCode).toBe(0)
    expect(fewest()).toBe(1)
  })

  test('what only may come first makes no room for itself, and the quota says so', async () => {
    const forced = (more: string): string => rule('ssh', `action: ACCEPT\nport_start: 22\n${more}`, 'lifecycle: { create_before_destroy: true }')
    const world = await full(1, forced(''))
    const { plan } = await world.plan(web(forced(higher)))
    expect(plan.quota).toMatchObject([{ name: 'firewall_rules_per_ip', used: 1, after: 1, limit: 1, exceeded: true }])
  })
})
