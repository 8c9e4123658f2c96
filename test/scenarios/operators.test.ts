// What operators keep: coupons that cannot be deleted any more, rate cards with entries since different instants.
import { describe, expect, test } from 'vitest'
import { load, manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, effects, said, saved } from './stage.ts'

const noted = (world: World): string[] => world.events.flatMap((one) => (one.type === 'note' ? [one.diagnostic.summary] : []))

describe('a coupon that is used up', () => {
  const coupon = (code: string, more = ''): string => manifest('Coupon', 'welcome', `code: ${code}\namount: 1000000\nuses: 1\n${more}`)

  /** Made, and redeemed as often as it can be. */
  async function usedUp(): Promise<World> {
    const world = createWorld({ staff: true })
    await world.apply(coupon('WELCOME'))
    const { coupons, redemptions, users } = world.sandbox.world.tables
    const [row] = coupons.all()
    redemptions.insert({ couponId: row?.id ?? '', userId: users.all()[0]?.id ?? '', flags: [], workspaceIds: [] })
    return world
  }

  test('is forgotten at once, with a warning, when its manifest goes', async () => {
    const world = await usedUp()
    const before = world.clock.now()
    const done = await world.apply(manifest('Coupon', 'other', 'code: OTHER\namount: 1\nuses: 1'))
    expect(done.exitCode).toBe(0)
    expect(done.outcome).toMatchObject({ destroyed: 0, forgotten: 1, staying: ['Coupon/welcome'] })
    expect(done.document.resources.map((one) => one.address)).toEqual(['Coupon/other'])
    expect(world.sandbox.world.tables.coupons.all().map((one) => one.code)).toEqual(['WELCOME', 'OTHER'])
    expect(noted(world)).toEqual([
      expect.stringMatching(/^Coupon\/welcome: a coupon that is used up cannot be deleted; object \d+ stays, and is in no state any more$/),
    ])
    expect(world.clock.now() - before).toBeLessThan(60_000)
  })
  test('is followed by one with another code, and forgotten', async () => {
    const world = await usedUp()
    const done = await world.apply(coupon('WELCOME-2'))
    expect(done.exitCode).toBe(0)
    expect(done.document.resources.map(({ spec, deposed }) => [spec['code'], deposed])).toEqual([['WELCOME-2', []]])
    expect(noted(world)).toHaveLength(1)
    expect(brief((await world.plan(coupon('WELCOME-2'))).plan)).toEqual([])
  })
  test('is replaced in the order that its code allows', async () => {
    const world = createWorld({ staff: true })
    await world.apply(coupon('WELCOME'))
    expect(brief((await world.plan(coupon('WELCOME', 'note: again'))).plan)).toEqual(['replace Coupon/welcome (immutable_field): delete, create'])
    expect(brief((await world.plan(coupon('WELCOME-2'))).plan)).toEqual(['+/- replace Coupon/welcome (immutable_field): create, delete'])
  })
  test('whose replacement was left half done is not in the way when its code is wanted back', async () => {
    const world = createWorld({ staff: true })
    await world.apply(coupon('WELCOME'))
    world.sandbox.faults.list.push({ operation: 'deleteCoupon', status: 403 })
    expect((await world.apply(coupon('WELCOME-2'))).exitCode).not.toBe(0)
    world.sandbox.faults.list.length = 0
    const { plan } = await world.plan(coupon('WELCOME'))
    expect(brief(plan).toSorted()).toEqual(['delete Coupon/welcome (resumed): delete', 'replace Coupon/welcome (immutable_field): delete, create'])
    const done = await world.apply(coupon('WELCOME'))
    expect(done.exitCode).toBe(0)
    expect(world.sandbox.world.tables.coupons.all().map((one) => one.code)).toEqual(['WELCOME'])
    expect(brief((await world.plan(coupon('WELCOME'))).plan)).toEqual([])
  })
})

describe('a price', () => {
  const price = (name: string, spec: string): string => manifest('Price', name, `type: MEMORY\nregion: fra-1\n${spec}`)

  test('without an instant is in force from its creation on, and made once though the answer was lost', async () => {
    const world = createWorld({ staff: true })
    const { rates } = world.sandbox.world.tables
    const before = rates.all().length
    world.sandbox.faults.list.push({ operation: 'createPrice', reset: 'after' })
    const texts = price('memory', 'unit_rate: 1700')
    const done = await world.apply(texts)
    expect(done.exitCode).toBe(0)
    expect(rates.all()).toHaveLength(before + 1)
    const { id, effectiveFromMs } = rates.all().at(-1) ?? {}
    expect(done.document.resources).toMatchObject([
      {
        id: `MEMORY/${id}`,
        spec: { type: 'MEMORY', region: 'fra-1', unit_rate: 1700 },
        outputs: { effective_from: new Date(effectiveFromMs ?? 0).toISOString() },
      },
    ])
    expect(done.document.resources[0]?.spec).not.toHaveProperty('effective_from')
    expect((await world.plan(texts)).plan.changes.map((one) => one.action)).toEqual(['no-op'])
  })
  test('stays what it is when a later entry of its card comes, and is changed by its type and id', async () => {
    const world = createWorld({ staff: true })
    const first = price('first', 'unit_rate: 1700\neffective_from: 2026-06-01T00:00:00Z')
    const second = (rate: number): string => price('second', `unit_rate: ${rate}\neffective_from: 2026-07-01T00:00:00Z`)
    await world.apply(all(first, second(1800)))
    expect(brief((await world.plan(all(first, second(1800)))).plan)).toEqual([])
    const sent = effects(world, (body) => body['unit_rate'])
    expect((await world.apply(all(first, second(1900)))).exitCode).toBe(0)
    expect(sent).toEqual(['updatePrice 1900'])
    const { plan } = await world.plan(all(first, second(2000)), { unread: true })
    expect(brief(plan)).toEqual(['update Price/second (changed): update'])
    expect((await world.applySaved(all(first, second(2000)), saved(plan))).exitCode).toBe(0)
  })
  test('that is there already is not made a second time', async () => {
    const world = createWorld({ staff: true })
    const { plan } = await world.plan(price('seeded', 'unit_rate: 1\neffective_from: 2020-01-01'))
    expect(said(plan)).toContainEqual(expect.stringMatching(/^exists Price\/seeded: such a Price exists already \(id MEMORY\/\d+\)/))
  })
  test.each([
    ['service_group: RYZEN\nunit_rate: 1', 'service_group goes with type CPU only'],
    ['unit_rate: 1\neffective_from: someday', 'ISO 8601'],
  ])('%j is refused', (spec, words) => {
    expect(() => createWorld().load(price('wrong', spec))).toThrow(words)
  })
  test('is declared once for a card and an instant', () => {
    const same = 'unit_rate: 1\neffective_from: 2026-06-01'
    expect(() => createWorld().load(all(price('first', same), price('again', `${same}T00:00:00Z`)))).toThrow(
      'Price/first is of the same rate card, from the same instant on',
    )
    expect(createWorld().load(all(price('first', same), price('later', 'unit_rate: 1'))).diagnostics).toEqual([])
  })
})

describe('a template of apps', () => {
  const template = (spec: string): string => manifest('AppTemplate', 'shop', `description: sells\nimage: shop:1\n${spec}`)
  const wrong = (spec: string): string[] => {
    const { diagnostics } = load(template(spec))
    return diagnostics.map((one) => `${one.summary} ${one.position?.line}`)
  }

  test.each([
    ['environment: [{ key: A, value: "s3cret {{host.web}}" }]', 'a placeholder in it is unknown'],
    ['environment: [{ key: A, value: "{{host_port.web}}" }]', 'a placeholder {{host_port.NAME}} in it names no port of the template'],
    ['environment: [{ key: A, value: "{{random:0}}" }]', 'is a number from 1 to 128'],
    ['environment: [{ key: A, value: "{{random:129}}" }]', 'is a number from 1 to 128'],
    ['environment: [{ key: A, value: a }, { key: A, value: b }]', 'the key is there twice'],
    ['ports: [{ name: a--b, container_port: 80, protocol: TCP }]', '"a--b" is no name for a port'],
    ['ports: [{ name: a, container_port: 80, protocol: TCP }, { name: a, container_port: 81, protocol: TCP }]', 'two ports are called "a"'],
    [
      'ports: [{ name: a, container_port: 80, protocol: TCP, http: true }, { name: b, container_port: 81, protocol: TCP, http: true }]',
      'at most one port has http true',
    ],
  ])('%s is refused where it stands', (spec, words) => {
    expect(wrong(spec)).toEqual([expect.stringContaining(words)])
    expect(wrong(spec)[0]).toMatch(/ 9$/)
    expect(wrong(spec)[0]).not.toContain('s3cret')
  })
  test('takes every placeholder, and no warning for what it holds', () => {
    const all = '{{host_port.web}} {{container_port.web}} {{instance.ip4}} {{instance.ip6}} {{random:1}} {{random:128}}'
    expect(wrong(`environment: [{ key: A, value: "${all}" }, { key: B, value: null }]\nports: [{ name: web, container_port: 80, protocol: TCP }]`)).toEqual([])
  })
  test('says nothing when variables and ports come in another order, and clears its category with null alone', async () => {
    const world = createWorld({ staff: true })
    const ports = ['{ name: a, container_port: 80, protocol: TCP }', '{ name: b, container_port: 81, protocol: UDP }']
    const variables = ['{ key: A, value: "1" }', '{ key: B, value: null }']
    const texts = (category: string, [port, other] = ports, [one, two] = variables): string =>
      template(`${category}\nports: [${port}, ${other}]\nenvironment: [${one}, ${two}]`)
    const sent = effects(world)
    await world.apply(texts('category: AI'))
    expect(sent).toEqual(['createAppTemplate', 'updateAppTemplate'])
    expect(brief((await world.plan(texts('category: AI', ports.toReversed(), variables.toReversed()))).plan)).toEqual([])
    await world.apply(texts(''))
    const row = world.sandbox.world.tables.appTemplates.all().find((one) => one.name === 'shop')
    expect(row).toMatchObject({ category: null, ports: [{ name: 'a' }, { name: 'b' }], environment: [{ key: 'A' }, { key: 'B' }] })
  })
})
