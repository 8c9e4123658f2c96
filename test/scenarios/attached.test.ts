// Disks, addresses and DHCP settings together with the instances they hang on: made, moved, left behind and deleted.
import { describe, expect, test } from 'vitest'
import { planText } from '../../src/cli/render/plan/plan-text.ts'
import { noColours } from '../../src/cli/render/text/palette.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { answer } from '../builders/wire-double.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, saved, vpc } from './stage.ts'

const disk = (on: string, size = 20) => manifest('Disk', 'data', `size: ${size}GiB\nbackend: LOCAL\nregion: fra-1\ninstance: ${on}`)
const address = (on: string) => manifest('FloatingIp', 'mail', `type: IPv4\nregion: fra-1\nddos: false\ndns: mail.example.com\ninstance: ${on}`)
const dhcp = (on: string) => manifest('DhcpSettings', 'own', `instance: ${on}\nv4: mail`)
const attached = (on: string) => [disk(on), address(on), dhcp(on)]
const both = [instance('web'), instance('api')]
/** The plan as people read it. */
const textOf = (plan: Parameters<typeof planText>[0]) =>
  planText(plan, { palette: noColours, outputsOf: () => [], replaceCostsOf: (name) => kinds.find((one) => one.name === name)?.replaceCosts ?? [] })

describe('what hangs on an instance', () => {
  test('moves with one plan from one to another, and no address is in DHCP that is not attached', async () => {
    const world = createWorld()
    await world.apply(all(...both, ...attached('web')))
    const sent = effects(world)
    const done = await world.apply(all(...both, ...attached('api')))
    expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 1, changed: 2, destroyed: 1 }])
    expect(brief((await world.plan(all(...both, ...attached('api')))).plan)).toEqual([])
    expect(sent.toSorted()).toEqual(['attachDisk', 'attachIp', 'detachDisk', 'detachIp', 'resetDhcp', 'setDhcp'])
    expect(sent.indexOf('attachIp')).toBeLessThan(sent.indexOf('setDhcp'))
    const { disks, ips, instances } = world.sandbox.world.tables
    const api = instances.all().find((one) => one.name === 'api')?.id
    expect([disks.all().find((one) => one.name === 'data')?.instanceId, ips.all().find((one) => one.dns !== null)?.instanceId]).toEqual([api, api])
  })

  test('outlives the instance that is replaced, with its data', async () => {
    const world = createWorld()
    const texts = all(instance('web'), ...attached('web'))
    await world.apply(texts)
    const { disks, ips } = world.sandbox.world.tables
    const before = [disks.all().find((one) => one.name === 'data')?.id, ips.all().find((one) => one.dns !== null)?.address]
    const done = await world.apply(texts, { replace: ['Instance/web'] })
    expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 2, changed: 2, destroyed: 2 }])
    expect([disks.all().find((one) => one.name === 'data')?.id, ips.all().find((one) => one.dns !== null)?.address]).toEqual(before)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })

  test('is made anew only once a reset that was lost can no longer arrive', async () => {
    const world = createWorld({ compat: { settle_window: '20s' } })
    const { sandbox, clock } = world
    const texts = all(instance('web'), ...attached('web'))
    await world.apply(texts)
    let isLost = false
    sandbox.faults.hook = ({ operation, method, path }) => {
      if (operation !== 'resetDhcp' || isLost) return undefined
      isLost = true
      void clock.sleep(10_000).then(() => sandbox.handle({ method, path, headers: { authorization: `Bearer ${sandbox.token}` } }))
      return { reset: 'before' }
    }
    expect((await world.apply(texts, { replace: ['DhcpSettings/own'] })).exitCode).toBe(0)
    await clock.sleep(60_000)
    expect([isLost, brief((await world.plan(texts)).plan)]).toEqual([true, []])
  })

  test('that failed unseen, and is refused by what comes next, is replaced by the next run', async () => {
    let isBlind = true
    const world = createWorld({
      transport: (inner) => (request) =>
        isBlind && /\/workflows(?:\/|\?|$)/.test(request.path) ? Promise.resolve(answer(404, { error: 'not found' })) : inner(request),
    })
    const { courses, tables } = world.sandbox.world
    courses.push({ operation: 'ip.create', outcome: 'FAILED', leaves: 'failed' })
    const texts = all(instance('web'), address('web'))
    const failed = await world.apply(texts)
    expect(failed.exitCode).toBe(8)
    expect(JSON.stringify(failed.outcome)).toContain('its creation may have failed unseen: the next plan replaces it')
    isBlind = false
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect([tables.ips.all().filter((one) => one.dns !== null).length, brief((await world.plan(texts)).plan)]).toEqual([1, []])
  })

  test('is not named as left behind by the instance that goes, while it is managed', async () => {
    const world = createWorld({ sandbox: { readings: { grantedIps: 'kept' } } })
    const parts = [disk('null'), address('null')]
    await world.apply(all(instance('web'), disk('web'), address('web')))
    await world.refresh(all(instance('web'), disk('web'), address('web')))
    await world.apply(all(...parts))
    const notes = world.events.flatMap((one) => (one.type === 'note' ? [one.diagnostic.summary] : []))
    const own = world.sandbox.world.tables.ips.all().find((one) => one.dns !== null)
    expect(notes.filter((one) => one.includes('still there'))).toHaveLength(1)
    expect(notes.join('\n')).not.toContain(`(id ${own?.id})`)
  })
})

test('a disk that is to shrink is an error of the plan, unless it is to be made anew', async () => {
  const world = createWorld()
  await world.apply(all(instance('web'), disk('web', 20)))
  const smaller = all(instance('web'), disk('web', 10))
  const sent = effects(world)
  expect(await world.apply(smaller)).toMatchObject({ exitCode: 3 })
  expect(sent).toEqual([])
  expect(await world.apply(smaller, { replace: ['Disk/data'] })).toMatchObject({ exitCode: 0 })
  expect(world.sandbox.world.tables.disks.all().find((one) => one.name === 'data')?.sizeBytes).toBe(10 * 2 ** 30)
})

test('a disk whose size is sensitive cannot shrink either: the plan says so, and tells no size', async () => {
  const world = createWorld()
  const secret = (size: number) => all(instance('web'), disk('web').replace('20GiB', `"\${sensitive(${size * 2 ** 30})}"`))
  await world.apply(secret(20))
  const sent = effects(world)
  const { plan } = await world.plan(secret(10))
  const refused = plan.diagnostics.filter(({ severity }) => severity === 'error')
  expect(refused).toMatchObject([
    { code: 'unsupported_change', address: 'Disk/data', summary: expect.stringContaining('size cannot become what is asked for') },
  ])
  const said = refused.flatMap(({ summary, detail, hint }) => [summary, detail, hint]).join()
  for (const size of [10, 20]) expect(said).not.toContain(String(size * 2 ** 30))
  expect((await world.apply(secret(10))).exitCode).toBe(3)
  expect(sent).toEqual([])
  expect(brief((await world.plan(secret(40))).plan)).toEqual(['update Disk/data (changed): resize'])
  expect((await world.apply(secret(40))).exitCode).toBe(0)
})

describe('an address that the service would delete with its instance', () => {
  const deleting = async () => {
    const world = createWorld({ sandbox: { readings: { attachedIps: 'deleted', extraDisks: 'deleted' } } })
    await world.apply(all(instance('web'), disk('web'), address('web')))
    return { world, own: world.sandbox.world.tables.ips.all().find((one) => one.dns !== null)?.id ?? '' }
  }
  test('is detached before that goes, where nothing else takes it off', async () => {
    const { world, own } = await deleting()
    const kept = address('web').replace('name: mail\n', 'name: mail\n  lifecycle: { ignore_changes: [/instance], prevent_destroy: true }\n')
    expect((await world.apply(all(instance('web'), disk('web'), kept), { replace: ['Instance/web'] })).exitCode).toBe(0)
    expect(world.sandbox.world.tables.ips.get(own)).toMatchObject({ dns: 'mail.example.com' })
  })
  test('is listed with the instance that goes, and by a saved plan', async () => {
    const { world, own } = await deleting()
    const data = world.sandbox.world.tables.disks.all().find((one) => one.name === 'data')
    const removed = 'removed:\n  - { address: FloatingIp/mail, destroy: false }\n  - { address: Disk/data, destroy: false }\n'
    const texts = files(removed, vpc('main'))
    const { plan } = await world.plan(texts)
    expect(brief(plan)).toContainEqual(`delete Instance/web (removed): detach disk ${data?.id}, detach address ${own}, delete`)
    const sent = effects(world)
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
    expect(sent).toEqual(expect.arrayContaining(['detachDisk', 'detachIp', 'deleteInstance']))
    expect(world.sandbox.world.tables.ips.get(own)?.instanceId).toBeNull()
  })
  test('is listed with one that is replaced, and not where it goes itself', async () => {
    const { world, own } = await deleting()
    const { plan } = await world.plan(all(instance('web'), disk('web'), address('web')), { replace: ['Instance/web'] })
    const change = plan.changes.find((one) => one.address === 'Instance/web')
    const data = world.sandbox.world.tables.disks.all().find((one) => one.name === 'data')
    expect(change?.steps).toContain(`detach address ${own}`)
    const shown = textOf(plan)
    expect(shown).toContain('Instance/web will be replaced, as requested (loses its data, loses its address)')
    expect(shown).toContain(`  # (before that disk ${data?.id}, address ${own} are detached)`)
    const ending = await world.plan('', { destroy: true })
    expect(brief(ending.plan).join()).not.toContain(`detach address ${own}`)
    expect(textOf(ending.plan)).toContain('Instance/web will be destroyed (loses its data, loses its address)')
    expect(textOf(ending.plan)).toContain('Disk/data will be destroyed (loses its data)\n')
  })
  test.each([
    ['nothing', 'null', 'full'],
    ['nothing', 'null', 'slim'],
    ['another instance', 'api', 'full'],
  ] as const)('is detached where its record says that it hangs on %s, and somebody has attached it there: %s, in %s lists', async (_, on, lists) => {
    const world = createWorld({ sandbox: { readings: { attachedIps: 'deleted', lists } } })
    const { ips, instances } = world.sandbox.world.tables
    const mine = manifest('FloatingIp', 'mail', `type: IPv4\nregion: fra-1\nddos: false\ndns: mail.example.com${on === 'null' ? '' : `\ninstance: ${on}`}`)
    const kept = mine.replace('name: mail\n', 'name: mail\n  lifecycle: { ignore_changes: [/instance] }\n')
    await world.apply(all(...both, mine))
    const own = ips.all().find((one) => one.dns !== null)?.id ?? ''
    ips.update(own, { instanceId: instances.all().find((one) => one.name === 'web')?.id ?? null })
    const texts = all(instance('api'), kept)
    const { plan } = await world.plan(texts)
    // What the manifest says stands again once what would be kept goes.
    const moved = on === 'null' ? [] : ['update FloatingIp/mail (drifted): detach, attach']
    expect(brief(plan)).toEqual([...moved, `delete Instance/web (removed): detach address ${own}, delete`])
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
    const api = instances.all().find((one) => one.name === 'api')?.id
    expect(ips.get(own)).toMatchObject({ dns: 'mail.example.com', instanceId: on === 'null' ? null : api })
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test('is taken off by itself alone where it goes in the same run, though somebody has attached it there', async () => {
    const world = createWorld({ sandbox: { readings: { attachedIps: 'deleted' } } })
    const { ips, instances } = world.sandbox.world.tables
    await world.apply(all(instance('web'), manifest('FloatingIp', 'mail', 'type: IPv4\nregion: fra-1\nddos: false\ndns: mail.example.com'), vpc('main')))
    const own = ips.all().find((one) => one.dns !== null)?.id ?? ''
    ips.update(own, { instanceId: instances.all()[0]?.id ?? null })
    const sent = effects(world)
    const done = await world.apply(vpc('main'))
    expect([done.exitCode, sent.filter((one) => one === 'detachIp').length <= 1, instances.all(), ips.get(own)]).toEqual([0, true, [], undefined])
    expect(brief(done.plan).join()).not.toContain('detach address')
  })
  test.each([
    ['alone', ''],
    ['beside a VPC that goes', vpc('main')],
  ])('is listed with the second of two that are replaced, of which lists tell as much as single reads: %s', async (_, beside) => {
    const world = createWorld()
    const sized = (plan: string): string =>
      all(...['api', 'web'].map((name) => manifest('Instance', name, `type: PLAN\nregion: fra-1\nplan: ${plan}\nstart: true`)))
    await world.apply(all(sized('ryzen-4'), address('web'), ...(beside === '' ? [] : [beside])))
    const own = world.sandbox.world.tables.ips.all().find((one) => one.dns !== null)?.id ?? ''
    const texts = all(sized('ryzen-8'), address('web'))
    const { plan } = await world.plan(texts)
    expect(plan.changes.find((one) => one.address === 'Instance/web')?.steps).toContain(`detach address ${own}`)
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
  })
  test('is read only where it may hang on what goes', async () => {
    const world = createWorld()
    const names = ['a', 'b', 'c', 'd']
    const server = (name: string, plan = 'ryzen-4'): string => manifest('Instance', name, `type: PLAN\nregion: fra-1\nplan: ${plan}\nstart: true`)
    const addresses = names.map((name) => manifest('FloatingIp', name, `type: IPv4\nregion: fra-1\nddos: false\ninstance: ${name}`))
    await world.apply(all(...names.map((name) => server(name)), ...addresses))
    const asked: string[] = []
    world.sandbox.faults.hook = ({ operation }) => void asked.push(`${operation}`)
    await world.plan(all(server('a', 'ryzen-8'), server('b'), server('c'), server('d'), ...addresses))
    expect(asked.filter((one) => one === 'getFloatingIp').length).toBeLessThan(4)
  })
  test('is detached where it is forgotten with the same plan', async () => {
    const { world, own } = await deleting()
    const removed = 'removed:\n  - { address: FloatingIp/mail, destroy: false }\n  - { address: Disk/data, destroy: false }\n'
    expect((await world.apply(files(removed, vpc('main')))).exitCode).toBe(0)
    const { ips, disks, instances } = world.sandbox.world.tables
    expect([ips.get(own)?.instanceId, disks.all().map((one) => [one.name, one.instanceId]), instances.all()]).toEqual([null, [['data', null]], []])
  })
})

test('a move is not begun again by one read that lags behind those before it', async () => {
  const world = createWorld()
  await world.apply(all(...both, disk('web')))
  await world.clock.sleep(60_000)
  const sent: string[] = []
  world.sandbox.faults.hook = ({ operation = '' }) => {
    if (/^(?:attach|detach)Disk$/.test(operation)) sent.push(operation)
    if (operation === 'attachDisk') world.sandbox.faults.list.push({ operation: 'getDisk', staleMs: 30_000, times: 2 })
    return undefined
  }
  expect((await world.apply(all(...both, disk('api')))).exitCode).toBe(0)
  expect(sent).toEqual(['detachDisk', 'attachDisk'])
})

test('a move whose last answer is lost is not begun again by a read that lags behind it', async () => {
  const world = createWorld()
  await world.apply(all(...both, disk('web')))
  await world.clock.sleep(60_000)
  const sent: string[] = []
  world.sandbox.faults.hook = ({ operation = '', count }) => {
    if (/^(?:attach|detach)Disk$/.test(operation)) sent.push(operation)
    if (operation !== 'attachDisk' || count > 2) return undefined
    world.sandbox.faults.list.push({ operation: 'getDisk', staleMs: 20_000, times: 1 })
    return { reset: 'after' }
  }
  expect((await world.apply(all(...both, disk('api')))).exitCode).toBe(0)
  expect(sent).toEqual(['detachDisk', 'attachDisk'])
  const { disks, instances } = world.sandbox.world.tables
  expect(disks.all().find((one) => one.name === 'data')?.instanceId).toBe(instances.all().find((one) => one.name === 'api')?.id)
})

test('what was seen before a pause for a lost request is looked at again after it', async () => {
  const calls: string[] = []
  const world = createWorld()
  await world.apply(all(...both, disk('web')))
  world.sandbox.faults.hook = ({ operation = '', count }) => {
    if (operation.endsWith('Disk')) calls.push(operation)
    return operation === 'detachDisk' && count === 1 ? { reset: 'after' } : undefined
  }
  const { disks } = world.sandbox.world.tables
  const id = disks.all().find((one) => one.name === 'data')?.id ?? ''
  expect((await world.apply(all(...both))).exitCode).toBe(0)
  expect(disks.get(id)).toBeUndefined()
  expect(calls.slice(0, calls.indexOf('deleteDisk')).slice(-2)).toEqual(['getDisk', 'getDisk'])
})

test('a disk that has grown since, by hand or by what the service rounds, is no difference', async () => {
  const world = createWorld()
  const texts = all(instance('web'), disk('web', 20))
  await world.apply(texts)
  const { disks } = world.sandbox.world.tables
  const own = disks.all().find((one) => one.name === 'data')
  disks.update(own?.id ?? '', { sizeBytes: 30 * 2 ** 30 })
  const { plan } = await world.plan(texts)
  expect([brief(plan), plan.drift]).toEqual([[], []])
  const renamed = texts.replace('size: 20GiB', 'name: renamed\n  size: 20GiB')
  const sent = effects(world)
  expect((await world.apply(renamed)).exitCode).toBe(0)
  expect(sent).toEqual(['updateDisk'])
  expect((await world.apply(renamed.replace('20GiB', '25GiB'))).exitCode).toBe(3)
  expect((await world.apply(renamed.replace('20GiB', '40GiB'))).exitCode).toBe(0)
})

test('ignore_changes keeps nothing of what is gone', async () => {
  const world = createWorld()
  const kept = address('web').replace('name: mail\n', 'name: mail\n  lifecycle: { ignore_changes: [/instance] }\n')
  await world.apply(all(instance('web'), kept))
  const { ips, instances } = world.sandbox.world.tables
  for (const { id, dns } of ips.all()) if (dns !== null) ips.delete(id)
  expect((await world.apply(all(instance('web'), kept), { replace: ['Instance/web'] })).exitCode).toBe(0)
  expect(ips.all().find((one) => one.dns !== null)?.instanceId).toBe(instances.all()[0]?.id)
})

test('DHCP settings that somebody else makes between plan and apply are not changed', async () => {
  const world = createWorld()
  const settings = manifest('DhcpSettings', 'own', 'instance: web\nenabled: false')
  await world.apply(instance('web'))
  const { dhcpSettings, instances } = world.sandbox.world.tables
  let looks = 0
  world.sandbox.faults.hook = ({ operation }) => {
    // The plan has read them once; the apply looks again.
    if (operation !== 'getDhcp') return undefined
    looks += 1
    if (looks === 2) dhcpSettings.insert({ instanceId: instances.all()[0]?.id ?? '', enabled: true, v4: null, v6: null })
    return undefined
  }
  const done = await world.apply(all(instance('web'), settings))
  expect(done.exitCode).toBe(8)
  expect(done.outcome?.failed.map((one) => one.summary)).toEqual([expect.stringMatching(/^DhcpSettings\/own: such a DhcpSettings exists already/)])
})

test('settings that are made anew under the id of the old ones are taken, though their making ended ABORTED', async () => {
  const world = createWorld()
  await world.apply(all(instance('web'), address('web'), dhcp('web')))
  world.sandbox.world.courses.push({ operation: 'dhcp.update', outcome: 'ABORTED', leaves: 'done' })
  const without = all(instance('web'), address('web'), manifest('DhcpSettings', 'own', 'instance: web'))
  await world.apply(without)
  expect((await world.apply(without)).exitCode).toBe(0)
  expect(brief((await world.plan(without)).plan)).toEqual([])
})

test('keys come before the instances that are to get them', async () => {
  const world = createWorld()
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@example.com'
  const sent = effects(world)
  await world.apply(all(instance('web'), manifest('SshKey', 'work', `public_key: ${key}`)))
  expect(sent.slice(0, 2)).toEqual(['createSshKey', 'createInstance'])
})

describe('an address whose making ended FAILED', () => {
  const failing = (leaves: 'failed' | 'done' | 'nothing') => {
    const world = createWorld()
    world.sandbox.world.courses.push({ operation: 'ip.create', outcome: 'FAILED', leaves })
    return world
  }
  const texts = all(instance('web'), address('web'))
  test.each([
    ['failed', 'replace'],
    ['done', 'replace'],
    ['nothing', 'create'],
  ] as const)('and left it %s is made anew: nothing shows whether it is usable', async (leaves, action) => {
    const world = failing(leaves)
    expect((await world.apply(texts)).exitCode).toBe(8)
    const { plan } = await world.plan(texts)
    expect(plan.changes.find((one) => one.address === 'FloatingIp/mail')?.action).toBe(action)
    expect((await world.apply(texts)).exitCode).toBe(0)
    const floating = world.sandbox.world.tables.ips.all().filter((one) => one.grantedWith === null)
    expect(floating).toMatchObject([{ state: 'AVAILABLE', dns: 'mail.example.com' }])
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test('and whose answer was lost, too, is made anew, though what another lost create began has completed', async () => {
    const world = failing('failed')
    const both = all(texts, manifest('Disk', 'data', 'size: 20GiB\nbackend: LOCAL\nregion: fra-1'))
    for (const operation of ['createFloatingIp', 'createDisk'] as const) world.sandbox.faults.list.push({ operation, times: 1, reset: 'after' })
    expect((await world.apply(both)).exitCode).toBe(8)
    expect((await world.apply(both)).exitCode).toBe(0)
    expect(world.sandbox.world.tables.ips.all().filter((one) => one.grantedWith === null)).toMatchObject([{ state: 'AVAILABLE', dns: 'mail.example.com' }])
    expect(brief((await world.plan(both)).plan)).toEqual([])
  })
  test('is kept where it is on an instance by now', async () => {
    const world = failing('done')
    expect((await world.apply(texts)).exitCode).toBe(8)
    const { ips, instances } = world.sandbox.world.tables
    const own = ips.all().find((one) => one.grantedWith === null)
    ips.update(own?.id ?? '', { instanceId: instances.all()[0]?.id ?? null })
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect(ips.get(own?.id ?? '')).toMatchObject({ dns: 'mail.example.com' })
  })
})

test.each(['obeyed', 'ignored'] as const)(
  'what a workflow did may show after its end: the next step is asked for again until then (filters %s)',
  async (filters) => {
    const world = createWorld({ sandbox: { readings: { effectLagMs: 3000 }, strains: { filters } } })
    const texts = all(instance('web'), address('web'))
    const done = await world.apply(texts)
    expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 2 }])
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  },
)
