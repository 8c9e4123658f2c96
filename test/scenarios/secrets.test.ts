// Sensitive values stay where they belong: in requests, and nowhere else.
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { stringifyJson } from '../../src/base/json.ts'
import { toJson } from '../../src/engine/model/live.ts'
import type { Plan } from '../../src/engine/model/plan-data.ts'
import { manifest } from '../builders/project.ts'
import type { Texts } from '../builders/runs.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, cluster, effects, instance, project, saved, service, vpc } from './stage.ts'

const canary = 'Canary/ü p@ss+w0rd%"1'
const other = 'Another&Canary=ß~2'

const files = {
  'iac.yaml': project(
    'variables: { secret: { type: string, sensitive: true }, other: { type: string, sensitive: true } }\noutputs: { all: { value: "x-${vars.secret}" }, plain: { value: "${Instance[\'worker\'].id}" } }\n',
  ),
  'main.yaml': all(
    cluster('PASSWORD: "${vars.secret}"\n  URL: "postgres://shop:${vars.other}@db"'),
    service('shop', 'environment: { TOKEN: "${vars.secret}", PLAIN: "yes" }'),
    manifest('BgpConfiguration', 'bgp', 'asn: 64512\npassword: "${vars.secret}"'),
    vpc('main').replace('description: of main', 'description: "uses ${vars.other}"'),
    instance('web', 'cloud_init: "#cloud-config ${vars.secret}"\nos_name: "${sensitive(\'Deb-canary-13\')}"'),
  ),
}

/** The spellings in which a secret could be written down. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const inner = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(4, -4),
  )
  return [
    secret,
    json,
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString().slice(2),
    bytes.toString('hex'),
    bytes.toString('base64url'),
    ...inner,
  ]
}

function expectClean(texts: Readonly<Record<string, string>>): void {
  const found = Object.entries(texts).flatMap(([name, text]) =>
    [canary, other, 'Deb-canary-13'].flatMap((secret) =>
      spellings(secret)
        .filter((one) => text.includes(one))
        .map((one) => `${name}: ${one}`),
    ),
  )
  expect(found).toEqual([])
}

function fileSystemOf(world: World): Record<string, string> {
  return Object.fromEntries([...world.fileSystem.files()].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]))
}

describe('secrets', () => {
  test('are in no state, journal, history, plan, event or output', async () => {
    const journals: string[] = []
    const world = createWorld({ variables: { secret: canary, other } })
    world.sandbox.faults.hook = () => {
      for (const [path, text] of Object.entries(fileSystemOf(world))) if (path.endsWith('.journal')) journals.push(text)
      return undefined
    }
    const { plan } = await world.plan(files)
    const done = await world.apply(files)
    expect(done.exitCode).toBe(0)
    expect(journals.some((text) => text.includes('"t":"intent"'))).toBe(true)
    expectClean({
      ...fileSystemOf(world),
      journals: journals.join('\n'),
      plan: stringifyJson(toJson(plan)),
      events: JSON.stringify(world.events),
      document: JSON.stringify(done.document),
    })
    expect(done.document.outputs).toMatchObject({ all: { value: null, sensitive: true }, plain: { sensitive: false } })
    expect(brief((await world.plan(files)).plan)).toEqual([])
  })
  test('are in no plan where they stand around what is not known yet', async () => {
    const world = createWorld({ variables: { secret: canary, other } })
    const literal = 'CANARY-literal'
    const later = "${Vpc['main'].id}"
    const texts = {
      ...files,
      'iac.yaml': project(
        `variables: { secret: { type: string, sensitive: true }, other: { type: string, sensitive: true } }\noutputs:\n  hidden: { sensitive: true, value: "${literal} ${later}" }\n  call: { value: "\${sensitive('${literal}')} ${later}" }\n  shown: { value: "x ${later}" }\n`,
      ),
      'more.yaml': all(
        manifest('K3sSecret', 'more', `data: { URL: "postgres://shop:${literal}@${later}/x", ONE: "\${'${literal}' + Vpc['main'].id}", ID: "${later}" }`),
        vpc('x', '10.30.0.0/24').replace('of x', `\${sensitive('${literal}')} ${later}`),
        instance('boot', `cloud_init: "#cloud-config ${literal} ${later}"`),
      ),
    }
    const { plan } = await world.plan(texts)
    const done = await world.apply(texts)
    expect(done.exitCode).toBe(0)
    expect(plan.outputs).toEqual({
      hidden: { value: null, sensitive: true },
      call: { value: null, sensitive: true },
      shown: { expression: `x ${later}` },
    })
    expect(plan.changes.find((one) => one.address === 'K3sSecret/more')?.unresolved).toEqual({
      '/data/URL': expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/),
      '/data/ONE': expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/),
      '/data/ID': later,
    })
    const shown = { plan: stringifyJson(toJson(plan)), document: JSON.stringify(done.document), events: JSON.stringify(world.events), ...fileSystemOf(world) }
    expect(Object.entries(shown).flatMap(([name, text]) => (text.includes(literal) ? [name] : []))).toEqual([])
    expectClean(shown)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test('arrive at the service', async () => {
    const world = createWorld({ variables: { secret: canary, other } })
    const bodies: string[] = []
    effects(world, (body) => bodies.push(JSON.stringify(body)))
    await world.apply(files)
    for (const secret of [canary, other, 'Deb-canary-13']) expect(bodies.some((one) => one.includes(JSON.stringify(secret).slice(1, -1)))).toBe(true)
    expect(bodies.join('')).not.toMatch(/hmac-sha256|\\u0001/)
  })
  test('show as sensitive in plans, and a change of one is a change', async () => {
    const world = createWorld({ variables: { secret: canary, other } })
    await world.apply(files)
    const { plan } = await world.plan(files, {}, { variables: { secret: 'something else', other } })
    expect(
      plan.changes
        .filter((one) => one.action !== 'no-op')
        .map((one) => one.address)
        .toSorted(),
    ).toEqual(['BgpConfiguration/bgp', 'K3sSecret/db', 'K3sService/shop'])
    const change = plan.changes.find((one) => one.kind === 'K3sSecret')
    expect(change).toMatchObject({
      before: { data: { PASSWORD: { $sensitive: true } } },
      after: { data: { PASSWORD: { $sensitive: true }, URL: { $sensitive: true } } },
      patch: [{ op: 'replace', path: '/data/PASSWORD', value: { $sensitive: true } }],
    })
    expectClean({ plan: stringifyJson(toJson(plan)) })
  })
  test('are cleaned out of refusals that quote them', async () => {
    const world = createWorld({ variables: { secret: canary, other } })
    world.sandbox.faults.hook = ({ method, operation, body }) =>
      method === 'GET' || operation === 'createK3s'
        ? undefined
        : { status: 400, message: `bad value ${encodeURIComponent(canary)} in ${encodeURIComponent(body ?? '')}` }
    const done = await world.apply(files)
    expect(done.exitCode).toBe(8)
    expect(done.outcome?.failed.length).toBeGreaterThan(1)
    expectClean({ ...fileSystemOf(world), failed: JSON.stringify(done.outcome?.failed), events: JSON.stringify(world.events) })
  })
  test.each([
    ['a part of a value', vpc('main').replace('of main', "${'uses ' + vars.other}"), other],
    ['a number', manifest('BgpConfiguration', 'bgp', 'asn: "${sensitive(4200000123)}"'), '4200000123'],
    ['what another resource is made of', all(vpc('main'), instance('web', 'os_name: "${sensitive(\'Deb-canary-13\')}"')), 'Deb-canary-13'],
  ])('are cleaned out of refusals that quote %s', async (_, texts, quoted) => {
    const world = createWorld({ variables: { other } })
    world.sandbox.faults.hook = ({ method }) => (method === 'GET' ? undefined : { status: 400, message: `not ${encodeURIComponent(quoted)}` })
    const done = await world.apply({ 'iac.yaml': project('variables: { other: { type: string, sensitive: true } }\n'), 'main.yaml': texts })
    expect(done.outcome?.failed[0]?.summary).toContain('was refused: not (sensitive value)')
    expect(JSON.stringify(done.outcome?.failed)).not.toContain(encodeURIComponent(quoted))
  })
})

describe('an answer to a read that quotes a secret', () => {
  const iac = project('variables: { secret: { type: string, sensitive: true } }\n')
  const bgp = (password: string, asn = 64512) => ({
    'iac.yaml': iac,
    'main.yaml': all(vpc('main'), manifest('BgpConfiguration', 'bgp', `asn: ${asn}\npassword: ${password}`)),
  })
  const told = (work: Promise<unknown>) => work.then(String, (error: unknown) => inspect(error, { depth: 9 }))
  const ways: readonly [string, (world: World, texts: Texts, plan: Plan) => Promise<unknown>][] = [
    ['a plan', (world, texts) => world.plan(texts)],
    ['a plan of what is to go', (world, texts) => world.plan(texts, { destroy: true })],
    ['an apply that plans', (world, texts) => world.apply(texts)],
    ['a destroy that plans', (world, texts) => world.destroy(texts)],
    ['a refresh', (world, texts) => world.refresh(texts)],
    ['an apply of a saved plan', (world, texts, plan) => world.applySaved(texts, saved(plan))],
  ]
  const written: readonly [string, string, string][] = [
    ['a variable', '"${vars.secret}"', canary],
    ['its manifest', `'${canary}'`, canary],
    ['an expression', `"\${sensitive('Deb-canary-13')}"`, 'Deb-canary-13'],
    ['a part of an expression over another resource', `"\${Vpc['main'].range + sensitive('Deb-canary-13')}"`, '10.20.0.0/24Deb-canary-13'],
  ]
  test.each(ways.flatMap(([name, way]) => written.map(([place, password, quoted]) => ({ name, place, way, password, quoted }))))(
    'is told without it by $name, where it stands in $place',
    async ({ way, password, quoted }) => {
      const world = createWorld({ variables: { secret: canary } })
      await world.apply(bgp(password))
      const changed = bgp(password, 64513)
      const { plan } = await world.plan(changed)
      world.sandbox.faults.hook = ({ operation }) => (operation === 'getBgp' ? { status: 400, message: `not ${encodeURIComponent(quoted)}` } : undefined)
      const text = await told(way(world, changed, plan))
      expect(text).toMatch(/not .*\(sensitive value\)/)
      expectClean({ text, ...fileSystemOf(world), events: JSON.stringify(world.events) })
    },
  )
})
