// A model check of rules that change where an instance has no room for another: what every interleaving opens and shuts.
import { describe, expect, test } from 'vitest'
import { longForm } from '../builders/long-form.ts'
import { fc } from '../builders/properties.ts'
import { fate, nameOf, packets, statesAtLimit } from './firewall-model.ts'
import type { Resource, Rule, Rules } from './firewall-model.ts'

const accept = (port: number, priority = 1): Rule => ({ action: 'ACCEPT', port_start: port, priority })
const portsOf = (rules: Rules): (number | undefined)[] => [...new Set(rules.map((one) => one.port_start))]

describe('where an instance has as many rules as it takes', () => {
  test('of three that change one is away meanwhile, the same all the time, and never SSH', () => {
    for (const ports of [
      [22, 80, 443],
      [443, 80, 22],
    ]) {
      const { states, destroyFirst } = statesAtLimit(
        ports.map((port) => ({ old: accept(port), wanted: accept(port, 9) })),
        3,
      )
      expect(states.every((one) => one.length <= 3 && portsOf(one).includes(22) && portsOf(one).length >= 2)).toBe(true)
      expect(new Set(states.flatMap((one) => ports.filter((port) => !portsOf(one).includes(port)))).size).toBe(1)
      expect(destroyFirst).toHaveLength(1)
    }
  })

  test('so it is of fifty, and of fifty that have new addresses', () => {
    const ports = Array.from({ length: 50 }, (_, at) => (at === 0 ? 22 : 100 + at))
    const replaced = ports.map((port): Resource => ({ old: accept(port), wanted: accept(port, 2) }))
    const renamed = ports.flatMap((port): Resource[] => [{ old: accept(port) }, { wanted: accept(port, 2) }])
    for (const resources of [replaced, renamed]) {
      const { states } = statesAtLimit(resources, 50)
      expect(states).toHaveLength(2 * 50 + 1)
      expect(Math.min(...states.map((one) => portsOf(one).length))).toBe(49)
      expect(states.every((one) => one.length <= 50 && portsOf(one).includes(22))).toBe(true)
    }
  })

  test('what goes for good makes room first, and then nothing is away', () => {
    const kept = [22, 80].map((port): Resource => ({ old: accept(port), wanted: accept(port, 9) }))
    const { states, destroyFirst } = statesAtLimit([...kept, { old: accept(443) }, { wanted: accept(8080) }], 3)
    expect(states.every((one) => one.length <= 3 && [22, 80].every((port) => portsOf(one).includes(port)))).toBe(true)
    expect(destroyFirst).toEqual([])
  })
})

const ruleOf = (actions: Rule['action'][], needed: ('action' | 'priority' | 'port_start')[] = ['action', 'priority'], ports = [22, 80]) =>
  fc.record(
    {
      action: fc.constantFrom(...actions),
      priority: fc.integer({ min: 1, max: 4 }),
      port_start: fc.constantFrom(...ports),
      remote: fc.constantFrom('10.0.0.0/8', '192.0.2.0/24'),
    },
    { requiredKeys: needed },
  )

/** Resources and how many rules more than now there may be: something was there, something will be, and it fits. */
function changes(rule: ReturnType<typeof ruleOf>) {
  const resource: fc.Arbitrary<Resource> = fc.oneof(
    fc.record({ old: rule, wanted: rule }),
    fc.record({ old: rule }),
    fc.record({ wanted: rule }),
    rule.map((one) => ({ old: one, wanted: one })),
  )
  return fc.record({ resources: fc.array(resource, { minLength: 1, maxLength: 6 }), room: fc.integer({ min: 0, max: 2 }) }).filter(({ resources, room }) => {
    const [before, wanted] = wholes(resources)
    return before.length > 1 && wanted.length > 0 && wanted.length <= before.length + room
  })
}

function wholes(resources: readonly Resource[]): readonly [Rules, Rules] {
  return [resources.flatMap((one) => one.old ?? []), resources.flatMap((one) => one.wanted ?? [])]
}

/** Whether there is an order in which no old DROP has to go before a new one while an ACCEPT stays. */
function isGuardable(resources: readonly Resource[], room: number): boolean {
  const [changing, kept] = [resources.filter((one) => one.old !== one.wanted), resources.filter((one) => one.old === one.wanted)]
  const drops = changing.filter((one) => one.wanted?.action === 'DROP').length
  return kept.length === 0 || drops <= room + changing.filter((one) => one.old?.action === 'ACCEPT').length
}

test('no state has more rules than there may be, or opens what neither the old nor the new ones admit', () => {
  fc.assert(
    fc.property(changes(ruleOf(['ACCEPT', 'DROP'])), ({ resources, room }) => {
      const [before, wanted] = wholes(resources)
      const { states } = statesAtLimit(resources, before.length + room)
      expect(Math.max(...states.map((one) => one.length))).toBeLessThanOrEqual(before.length + room)
      if (!isGuardable(resources, room)) return
      const staysOut = packets.filter((one) => fate(before, one) === 'out' && fate(wanted, one) === 'out')
      const opened = states.flatMap((state) => staysOut.filter((one) => fate(state, one) !== 'out').map((one) => [one, state.map(nameOf)]))
      expect(opened).toEqual([])
    }),
    { numRuns: longForm(5000, 300) },
  )
})

test('of rules that only admit, and not SSH, no more than one has its old one gone before its new one is there', () => {
  fc.assert(
    fc.property(changes(ruleOf(['ACCEPT'], ['action', 'priority', 'port_start'], [80, 443])), ({ resources, room }) => {
      expect(statesAtLimit(resources, wholes(resources)[0].length + room).destroyFirst.length).toBeLessThanOrEqual(room === 0 ? 1 : 0)
    }),
    { numRuns: longForm(2000, 100) },
  )
})
