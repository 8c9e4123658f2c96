// Apps: nothing reads, changes or deletes them, so they are as recorded, made once whatever is lost, and end with their instance.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World, WorldOptions } from '../builders/world.ts'
import { all, brief, effects, instance, said, saved } from './stage.ts'

const app = (name: string, spec = '', metadata = ''): string =>
  manifest('App', name, `instance: web\ntemplate_id: { name: postgres }\nenvironment: { POSTGRES_DB: ${name}, ADVERTISED: null }\n${spec}`, metadata)
const both = all(instance('web'), app('orders'))

const rows = (world: World) => world.sandbox.world.tables.apps.all()
const recorded = (done: { readonly document: { readonly resources: readonly { readonly address: string; readonly id: string }[] } }) =>
  done.document.resources.map((one) => `${one.address} ${one.id}`)

/** Loses the answer to the first deployments. */
function losing(world: World, times = 1): string[] {
  const sent: string[] = []
  world.sandbox.faults.hook = ({ method, operation }) => {
    if (method !== 'GET' && operation !== 'estimatePrice') sent.push(`${operation}`)
    return operation === 'deployApp' && sent.filter((one) => one === 'deployApp').length <= times ? { reset: 'after' } : undefined
  }
  return sent
}

test('an app is made after its instance, and the next plan is empty', async () => {
  const world = createWorld()
  const first = await world.plan(both)
  expect([brief(first.plan), first.plan.cost?.unpriced]).toEqual([['create Instance/web (new): create', 'create App/orders (new): create'], ['App/orders']])
  expect(said(first.plan)).toContain('note not verifiable once it is made: App/orders')
  const done = await world.apply(both)
  expect([done.exitCode, rows(world).map((one) => [one.name, one.state, one.environment['POSTGRES_DB'], 'ADVERTISED' in one.environment])]).toEqual([
    0,
    [['orders', 'AVAILABLE', 'orders', false]],
  ])
  expect(recorded(done)).toContain(`App/orders ${rows(world)[0]?.id}`)
  const { plan } = await world.plan(both)
  expect([brief(plan), plan.drift]).toEqual([[], []])
  expect(said(plan)).toEqual(['note not verifiable, and taken as recorded: App/orders'])
})

describe('an app whose answer was lost', () => {
  test.each<[string, WorldOptions, string]>([
    ['by the data of its workflow', {}, 'number'],
    ['by the refusal of its name where the data says nothing', { sandbox: { readings: { workflowData: 'none' } } }, 'name'],
    ['by the refusal of its name where that is 400', { sandbox: { readings: { workflowData: 'none', takenStatus: 400, emptyBodies: 'empty' } } }, 'name'],
  ])('is found %s', async (_, options, told) => {
    const world = createWorld(options)
    await world.apply(instance('web'))
    const sent = losing(world)
    const done = await world.apply(both)
    expect([done.exitCode, rows(world).length]).toEqual([0, 1])
    expect(sent).toEqual(told === 'number' ? ['deployApp'] : ['deployApp', 'deployApp'])
    const [row] = rows(world)
    expect(recorded(done)).toContain(told === 'number' ? `App/orders ${row?.id}` : `App/orders ${row?.instanceId}/orders`)
    expect(brief((await world.plan(both)).plan)).toEqual([])
  })
  test.each(['after', 'before'] as const)('in a run that ended there is settled by the next one (%s it arrived)', async (reset) => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(instance('web'))
    const stop = new AbortController()
    let count = 0
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deployApp' || (count += 1) > 1) return undefined
      stop.abort()
      return { reset }
    }
    const first = await world.apply(both, {}, { stop: stop.signal })
    expect(first.exitCode).not.toBe(0)
    const done = await world.apply(both)
    const [row] = rows(world)
    expect([done.exitCode, rows(world).length, count]).toEqual([0, 1, 2])
    expect(recorded(done)).toContain(`App/orders ${reset === 'after' ? `${row?.instanceId}/orders` : row?.id}`)
    expect(brief((await world.plan(both)).plan)).toEqual([])
  })
  test('is sent once more where nothing began, and made once', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    let count = 0
    world.sandbox.faults.hook = ({ operation }) => (operation === 'deployApp' && (count += 1) === 1 ? { reset: 'before' } : undefined)
    const done = await world.apply(both)
    expect([done.exitCode, count, recorded(done).at(0)]).toEqual([0, 2, `App/orders ${rows(world)[0]?.id}`])
  })
  test('is told apart from another one on the same instance by its name', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    losing(world, 2)
    const three = all(both, app('sales'))
    const done = await world.apply(three)
    const web = rows(world)[0]?.instanceId
    expect([
      done.exitCode,
      rows(world)
        .map((one) => one.name)
        .toSorted(),
    ]).toEqual([0, ['orders', 'sales']])
    expect(recorded(done)).toEqual(expect.arrayContaining([expect.stringMatching('^App/orders '), expect.stringMatching('^App/sales ')]))
    for (const { name, id } of rows(world))
      expect([`App/${name} ${id}`, `App/${name} ${web}/${name}`]).toContain(recorded(done).find((one) => one.startsWith(`App/${name} `)))
    expect(brief((await world.plan(three)).plan)).toEqual([])
  })
  test('is found by its name where no workflow is shown', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    losing(world)
    world.sandbox.faults.list.push({ operation: 'listInstanceWorkflows', status: 403 })
    const done = await world.apply(both)
    expect([done.exitCode, rows(world).length, recorded(done).at(0)]).toEqual([0, 1, `App/orders ${rows(world)[0]?.instanceId}/orders`])
  })
  test('is let go with a word where its manifest went before anything told', async () => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(instance('web'))
    const stop = new AbortController()
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deployApp') return undefined
      stop.abort()
      return { reset: 'after' }
    }
    await world.apply(both, {}, { stop: stop.signal })
    const done = await world.apply(instance('web'))
    expect([done.exitCode, recorded(done).length]).toEqual([0, 1])
    const noted = world.events.flatMap((one) => (one.type === 'note' ? [one.diagnostic.summary] : []))
    expect(noted).toEqual(['App/orders: whether a create of it arrived, whose answer was lost, nothing tells; it is in no state'])
    const before = world.clock.now()
    await world.apply(instance('web'))
    expect(world.clock.now() - before).toBeLessThan(5000)
  })
  test('stays open through a destroy of something else, and ends with its instance', async () => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    const net = manifest('Vpc', 'spare', 'description: spare\nrange: 10.9.0.0/24')
    await world.apply(all(instance('web'), net))
    const stop = new AbortController()
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deployApp' || stop.signal.aborted) return undefined
      stop.abort()
      return { reset: 'after' }
    }
    const whole = all(both, net)
    await world.apply(whole, {}, { stop: stop.signal })
    expect((await world.destroy(whole, { targets: ['Vpc/spare'] })).exitCode).toBe(8)
    const done = await world.apply(whole)
    expect([done.exitCode, rows(world).length, recorded(done).at(0)]).toEqual([0, 1, `App/orders ${rows(world)[0]?.instanceId}/orders`])
  })
  test.each<[string, string]>([
    ['an instance of its name is busy', 'instance orders is being restarted'],
    ['a domain that begins with its name is taken', 'domain orders.apps.example is in use'],
  ])('is not taken for made where %s', async (_, message) => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(instance('web'))
    let count = 0
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deployApp') return undefined
      count += 1
      return count === 1 ? { reset: 'before' } : count === 2 ? { status: 409, message } : undefined
    }
    await world.apply(both)
    const done = await world.apply(both)
    expect([done.exitCode, rows(world).length]).toEqual([0, 1])
    expect(recorded(done).at(0)).toBe(`App/orders ${rows(world)[0]?.id}`)
  })
  test('of values that the manifest no longer has is recorded as it was sent, and said to be so', async () => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(instance('web'))
    const stop = new AbortController()
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deployApp' || stop.signal.aborted) return undefined
      stop.abort()
      return { reset: 'after' }
    }
    await world.apply(both, {}, { stop: stop.signal })
    const changed = both.replace('POSTGRES_DB: orders', 'POSTGRES_DB: sales')
    const done = await world.apply(changed)
    expect([done.exitCode, done.outcome?.failed.map((one) => one.summary)]).toEqual([
      8,
      ['App/orders: an earlier create made it of other values, and the service has no call that changes an App'],
    ])
    expect(brief((await world.plan(both)).plan)).toEqual(['update App/orders (resumed): '])
    expect((await world.apply(both)).exitCode).toBe(0)
    expect([rows(world).length, brief((await world.plan(both)).plan)]).toEqual([1, []])
  })
})

test('one of the same name that nobody manages is not taken over, but imported', async () => {
  const world = createWorld()
  await world.apply(instance('web'))
  const web = world.sandbox.world.tables.instances.all()[0]?.id ?? ''
  const theirs = world.beside()
  await theirs.importObject(instance('web'), 'Instance/web', web)
  await theirs.apply(both)
  const done = await world.apply(both)
  expect([done.exitCode, done.outcome?.failed.map(({ code, hint }) => [code, hint])]).toEqual([
    8,
    [['exists', `if it is on Instance/web, take it over with: iac import 'App/orders' ${web}/orders`]],
  ])
  await expect(world.importObject(both, 'App/orders', 'orders')).rejects.toThrow('"orders" is no id of an App')
  await world.importObject(both, 'App/orders', rows(world)[0]?.id ?? '')
  expect([brief((await world.plan(both)).plan), rows(world).length]).toEqual([[], 1])
})

test('a deployment whose workflow fails leaves nothing recorded, and is made anew', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'app.create', outcome: 'FAILED', durationMs: 1000, leaves: 'nothing' }] } })
  const done = await world.apply(both)
  expect([done.exitCode, recorded(done).filter((one) => one.startsWith('App/'))]).toEqual([8, []])
  expect((await world.apply(both)).exitCode).toBe(0)
  expect(rows(world)).toHaveLength(1)
})

describe('what no call changes', () => {
  test.each([
    ['environment', both.replace('POSTGRES_DB: orders', 'POSTGRES_DB: sales')],
    ['environment', both.replace(/^ *environment: .*$/m, '')],
    ['template_id', both.replace('postgres', 'nginx')],
    ['name', all(instance('web'), app('orders', 'name: sales'))],
    ['domain', all(instance('web'), app('orders', 'domain: a.example.com'))],
  ])('is an error that says so: %s', async (field, changed) => {
    const world = createWorld()
    await world.apply(both)
    const { plan } = await world.plan(changed)
    expect(said(plan).filter((one) => one.startsWith('unsupported_change'))).toEqual([
      `unsupported_change App/orders: ${field} would change, and the service has no call that changes or deletes an App`,
    ])
    const sent = effects(world)
    expect([(await world.apply(changed)).exitCode, sent]).toEqual([3, []])
  })
  test('can be ignored', async () => {
    const world = createWorld()
    await world.apply(both)
    const { plan } = await world.plan(
      all(instance('web'), app('orders', '', 'lifecycle: { ignore_changes: [/environment] }').replace('POSTGRES_DB: orders', 'POSTGRES_DB: sales')),
    )
    expect([brief(plan), said(plan).filter((one) => one.startsWith('unsupported'))]).toEqual([[], []])
  })
})

describe('the instance of an app', () => {
  test('takes it along when it is replaced, and it is made anew, changed as well', async () => {
    const world = createWorld()
    await world.apply(both)
    const [old] = rows(world)
    const next = both.replace('ryzen-4', 'ryzen-2').replace('POSTGRES_DB: orders', 'POSTGRES_DB: sales')
    const { plan } = await world.plan(next)
    expect(brief(plan).toSorted()).toEqual(['replace App/orders (immutable_field): create', 'replace Instance/web (immutable_field): delete, create'])
    const done = await world.applySaved(next, saved(plan))
    expect([done.exitCode, done.outcome?.added, done.outcome?.destroyed]).toEqual([0, 2, 2])
    expect(rows(world).map((one) => [one.id === old?.id, one.environment['POSTGRES_DB']])).toEqual([[false, 'sales']])
    expect(brief((await world.plan(next)).plan)).toEqual([])
  })
  test('has its name for as long as it is only on its way out: until then the new one waits', async () => {
    const world = createWorld({ sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 120_000 } } })
    await world.apply(both)
    const next = both.replace('ryzen-4', 'ryzen-2')
    const before = world.clock.now()
    const done = await world.apply(next)
    expect([done.exitCode, rows(world).length]).toEqual([0, 1])
    expect(world.clock.now() - before).toBeGreaterThan(120_000)
    expect(brief((await world.plan(next)).plan)).toEqual([])
  })
  test('is waited for no longer than is allowed', async () => {
    const world = createWorld({ sandbox: { readings: { deletion: 'scheduled' } } })
    await world.apply(both)
    const texts = all(instance('web').replace('ryzen-4', 'ryzen-2'), app('orders', '', 'timeouts: { create: 2m }'))
    const done = await world.apply(texts)
    expect([done.exitCode, done.outcome?.failed.map((one) => one.code)]).toEqual([8, ['operation_timeout']])
    expect(done.outcome?.failed[0]?.summary).toMatch(/^App\/orders: its name is taken for as long as Instance \d+ is being deleted$/)
    // From then on it is known that the service has only scheduled it.
    const { plan } = await world.plan(texts)
    expect(said(plan)).toContainEqual(
      expect.stringMatching(/^advice App\/orders: its name may be taken for as long as the old object of Instance\/web \(id \d+\) is being deleted$/),
    )
    await world.clock.sleep(3_600_000)
    expect(said((await world.plan(texts)).plan).join()).not.toContain('its name may be taken')
    expect((await world.apply(texts)).exitCode).toBe(0)
  })
  test('takes it along when it is destroyed, which counts', async () => {
    const world = createWorld()
    await world.apply(both)
    const sent = effects(world)
    const { plan } = await world.plan(both, { destroy: true })
    expect(brief(plan).toSorted()).toEqual(['delete App/orders (requested): ', 'delete Instance/web (requested): delete'])
    expect(said(plan).filter((one) => one.includes('App/'))).toEqual([])
    const done = await world.destroy(both)
    expect([done.exitCode, done.outcome?.destroyed, sent, rows(world)]).toEqual([0, 2, ['deleteInstance'], []])
    expect(done.document.resources).toEqual([])
  })
  test('takes it along by a saved plan when their manifests go', async () => {
    const world = createWorld()
    await world.apply(all(both, instance('other')))
    const { plan } = await world.plan(instance('other'))
    expect(brief(plan).toSorted()).toEqual(['delete App/orders (removed): ', 'delete Instance/web (removed): delete'])
    const done = await world.applySaved(instance('other'), saved(plan))
    expect([done.exitCode, done.outcome?.destroyed, recorded(done).map((one) => one.split(' ')[0])]).toEqual([0, 2, ['Instance/other']])
  })
  test('is made anew with it when it has vanished', async () => {
    const world = createWorld()
    const first = await world.apply(both)
    const theirs = world.beside()
    const id = first.document.resources.find((one) => one.kind === 'Instance')?.id ?? ''
    await theirs.importObject(instance('web'), 'Instance/web', id)
    await theirs.destroy(instance('web'))
    const { plan } = await world.plan(both)
    expect(brief(plan)).toEqual(['create Instance/web (missing): create', 'create App/orders (missing): create'])
    const done = await world.applySaved(both, saved(plan))
    expect([done.exitCode, done.outcome?.added, done.outcome?.destroyed, rows(world).length]).toEqual([0, 2, 0, 1])
    expect(brief((await world.plan(both)).plan)).toEqual([])
  })
  test('takes it along by a plan that reads nothing', async () => {
    const world = createWorld()
    await world.apply(both)
    const { plan } = await world.plan(both, { destroy: true, unread: true })
    const done = await world.applySaved(both, saved(plan))
    expect([done.exitCode, done.outcome?.destroyed, done.document.resources]).toEqual([0, 2, []])
  })
  test('that nobody manages is looked for before an app goes to another one', async () => {
    const world = createWorld()
    const first = await world.beside().apply(all(instance('web'), instance('api')))
    const [api = '', web = ''] = first.document.resources.map((one) => one.id)
    const on = (id: string): string => app('orders').replace('instance: web', `instance: { id: "${id}" }`)
    await world.apply(on(web))
    expect(said((await world.plan(on(api))).plan).join()).toContain('instance would change, and the service has no call')
    const theirs = world.beside()
    await theirs.importObject(instance('web'), 'Instance/web', web)
    await theirs.destroy(instance('web'))
    const { plan } = await world.plan(on(api))
    expect(brief(plan)).toEqual(['create App/orders (missing): create'])
    const done = await world.applySaved(on(api), saved(plan))
    expect([done.exitCode, rows(world).map((one) => one.instanceId)]).toEqual([0, [api]])
  })
  test('that stays keeps it: without its manifest it is forgotten, with a warning', async () => {
    const world = createWorld()
    await world.apply(both)
    const { plan } = await world.plan(instance('web'))
    expect(brief(plan)).toEqual(['forget App/orders (removed): '])
    expect(said(plan)).toContain('advice App/orders: the service has no call that deletes an App; it is forgotten and stays as it is')
    const done = await world.apply(instance('web'))
    expect([done.exitCode, done.outcome?.forgotten, rows(world).length, recorded(done).length]).toEqual([0, 1, 1, 1])
  })
  test('that is left out of a destroy keeps it', async () => {
    const world = createWorld()
    await world.apply(both)
    const done = await world.destroy(both, { targets: ['App/orders'] })
    expect([done.exitCode, done.outcome?.destroyed, done.outcome?.forgotten, rows(world).length]).toEqual([0, 0, 1, 1])
  })
  test('stays in a destroy where the app is to be retained', async () => {
    const world = createWorld()
    const kept = all(instance('web'), app('orders', '', 'lifecycle: { on_remove: retain }'))
    await world.apply(kept)
    const done = await world.destroy(kept)
    expect([done.exitCode, done.outcome?.destroyed, rows(world).length, done.document.resources]).toEqual([0, 0, 1, []])
  })
})

test('a token is bound to an app', async () => {
  const world = createWorld()
  const token = manifest('ApiToken', 'deployer', 'grants: { APP: WRITE }\nlifetime: 90d\nsubject: RESOURCE\nsubject_id: App/orders')
  const done = await world.apply(all(both, token))
  expect(done.exitCode).toBe(0)
  expect(world.sandbox.world.tables.tokens.all().map((one) => one.subjectId)).toContain(rows(world)[0]?.id)
  expect(brief((await world.plan(all(both, token))).plan)).toEqual([])
})

test('a token cannot be bound to an app whose id no answer told', async () => {
  const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
  await world.apply(instance('web'))
  losing(world)
  await world.apply(both)
  const token = manifest('ApiToken', 'deployer', 'grants: { APP: WRITE }\nlifetime: 90d\nsubject: RESOURCE\nsubject_id: App/orders')
  expect(said((await world.plan(all(both, token))).plan)).toContain(
    'unsupported_change ApiToken/deployer: the answer that told the id of what it is bound to was lost',
  )
})

test('a domain that is in use is said when planning; its own is not asked for', async () => {
  const world = createWorld()
  const on = (name: string): string => manifest('App', name, 'instance: web\ntemplate_id: { name: nginx }\ndomain: shop.apps.sandbox.test')
  const one = all(instance('web'), on('shop'))
  expect((await world.apply(one)).exitCode).toBe(0)
  const inUse = 'unsupported_change App/twin: the domain shop.apps.sandbox.test is in use already'
  expect(said((await world.plan(all(one, on('twin')))).plan).filter((each) => each.startsWith('unsupported'))).toEqual([inUse])
  expect(brief((await world.plan(one)).plan)).toEqual([])
  const next = one.replace('ryzen-4', 'ryzen-2')
  expect([(await world.apply(next)).exitCode, rows(world).length]).toEqual([0, 1])
  world.sandbox.faults.list.push({ operation: 'checkAppDomain', status: 403 })
  expect(said((await world.plan(all(next, on('twin')))).plan).filter((each) => each.startsWith('unsupported'))).toEqual([])
})

test('what an app lacks is said before any call', async () => {
  const world = createWorld()
  const load = (text: string) => () => world.load(all(instance('web'), text))
  expect(load(app('orders', 'domain: "-"'))).toThrow('"-" is no full domain')
  expect(load(app('orders').replace('ADVERTISED: null', "ADVERTISED: '{{instance.name}}'"))).toThrow('a placeholder in it is unknown')
  expect(load(all(app('orders'), app('twin', 'name: orders')))).toThrow(/App\/(orders|twin)/)
  const template = manifest('AppTemplate', 'shop', 'description: sells\nimage: shop:1\nenvironment: [{ key: URL, value: null }]\nports: []')
  const shop = manifest('App', 'shop', 'instance: web\ntemplate_id: shop\ndomain: shop.example.com')
  expect(load(all(template, shop))).toThrow('the template has no port with http true')
})
