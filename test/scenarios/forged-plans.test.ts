// Saved plans that somebody altered and hashed anew: refused before anything is sent, or without any effect that the plan did not have.
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/base/json.ts'
import { isList, isObject, stringifyJson } from '../../src/base/json.ts'
import type { Change, Plan } from '../../src/engine/model/plan-data.ts'
import { planDocument, withHash } from '../../src/engine/plan/plan.ts'
import { readPlan } from '../../src/engine/saved/saved-plan.ts'
import { longForm, seedFor } from '../builders/long-form.ts'
import { fc } from '../builders/properties.ts'
import { rehashed } from '../builders/rehashed.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { cluster, effects, files, instance, rule, saved, vpc } from './stage.ts'

const guards = 'guards: { max_destroy: 1 }\nvariables: { password: { type: string, sensitive: true } }'
const kept = vpc('main', '10.20.0.0/24', 'lifecycle: { prevent_destroy: true }')
const lasting = vpc('lasting', '10.70.0.0/24', 'lifecycle: { on_remove: retain }')
const secret = (text: string): string => cluster(`PASSWORD: "${text}\${vars.password}"`)
const before = files(guards, kept, lasting, vpc('other', '10.30.0.0/24'), vpc('gone', '10.40.0.0/24'), instance('web', 'vpcs: [main]'), secret('a'))
const wanted = [kept, lasting, vpc('other', '10.30.0.0/24').replace('of other', 'another'), instance('web', 'vpcs: [main]\nos_name: Debian'), secret('b')]
const made = [vpc('new', '10.50.0.0/24'), rule('ssh', 'action: ACCEPT\nport_start: 22'), instance('more', 'vpcs: [new]\nos_name: "on ${Vpc[\'new\'].vlan}"')]
const after = files(guards, ...wanted, ...made)
const known = { variables: { password: 'first secret' } }

interface Scene {
  readonly world: World
  readonly plan: Plan
}

const scene = async (next = after): Promise<Scene> => {
  const world = createWorld({ variables: known.variables })
  await world.apply(before)
  return { world, plan: (await world.plan(next)).plan }
}

type Forgery = (change: Change, plan: Plan) => object

/** The plan with some changes altered, counted and hashed anew. */
function forged(plan: Plan, address: string, forgery: Forgery): Plan {
  const changes = plan.changes.map((one) => (one.address === address ? { ...one, ...forgery(one, plan) } : one))
  const count = (action: string): number => changes.filter((one) => one.action === action).length
  const summary = { ...plan.summary, update: count('update'), replace: count('replace'), delete: count('delete'), create: count('create') }
  return withHash({ ...plan, changes, summary: { ...summary, import: count('import'), forget: count('forget'), no_op: count('no-op') } })
}

const leave = {
  action: 'delete',
  reason: 'removed',
  after: null,
  patch: [],
  requires: [],
  digests: {},
  after_unknown: [],
  unresolved: {},
  steps: ['delete'],
  disruption: 'data_loss',
}
const again = { action: 'replace', create_before_destroy: true, steps: ['create', 'delete'], disruption: 'data_loss' }
const idOf = (plan: Plan, address: string): string | null => plan.changes.find((one) => one.address === address)?.id ?? null
const find = (plan: Plan, address: string): Change | undefined => plan.changes.find((one) => one.address === address)
const digestIn = (plan: Plan): string => Object.values(find(plan, 'K3sSecret/db')?.digests ?? {})[0] ?? ''

/** What refuses it: 9 what makes no sense or does not fit the state, 6 what does not fit what is live or the project, 5 a guard. */
const forgeries: readonly (readonly [string, string, number, Forgery])[] = [
  ['deletes what is protected', 'Vpc/main', 6, () => ({ ...leave, protected: false })],
  ['replaces what is protected as though it had failed', 'Vpc/main', 6, () => ({ ...again, reason: 'failed' })],
  ['lifts a protection', 'Vpc/main', 6, () => ({ protected: false })],
  ['forgets what is protected', 'Vpc/main', 6, () => ({ ...leave, action: 'forget', steps: [], disruption: 'none' })],
  ['deletes what is to be retained', 'Vpc/lasting', 6, () => leave],
  ['lifts on_remove', 'Vpc/lasting', 6, () => ({ on_remove: 'delete' })],
  ['deletes what a manifest declares', 'Vpc/other', 6, () => leave],
  ['updates another object', 'Vpc/other', 9, (_, plan) => ({ id: idOf(plan, 'Vpc/main') })],
  ['updates an object that nobody manages', 'Vpc/other', 9, () => ({ id: '12345' })],
  ['deletes another object', 'Vpc/gone', 9, (_, plan) => ({ id: idOf(plan, 'Vpc/main') })],
  ['deletes an old half that is not there', 'Vpc/gone', 9, () => ({ deposed: true, reason: 'resumed', id: '12345' })],
  ['acts in another workspace', 'Vpc/other', 9, () => ({ workspace_id: '12345' })],
  ['makes in another workspace', 'Vpc/new', 6, () => ({ workspace_id: '12345' })],
  ['makes in a workspace that nobody makes', 'Vpc/new', 6, () => ({ workspace_id: null, workspace_address: 'Workspace/elsewhere' })],
  ['takes over what nobody named', 'Vpc/new', 6, (one) => ({ action: 'import', id: '12345', before: one.after, fingerprint: null, steps: [] })],
  ['takes over what another holds', 'Vpc/new', 9, (_, plan) => ({ action: 'import', id: idOf(plan, 'Vpc/main'), before: {} })],
  ['makes a second one', 'Vpc/other', 9, () => ({ action: 'create', reason: 'new', id: null, before: null, fingerprint: null, patch: [] })],
  ['makes anew what is there', 'Vpc/other', 6, () => ({ action: 'create', reason: 'missing', before: null, patch: [] })],
  ['does what no kind does', 'Vpc/other', 9, () => ({ kind: 'Nothing' })],
  ['is of another kind', 'Vpc/other', 9, () => ({ kind: 'Instance' })],
  ['has no address', 'Vpc/other', 9, () => ({ address: 'Vpc/../../other' })],
  ['stands in it twice', 'Vpc/other', 9, () => ({ address: 'Vpc/main' })],
  ['moves another record', 'Vpc/new', 6, () => ({ previous_address: 'Vpc/main' })],
  ['hides its patch', 'Vpc/other', 9, () => ({ patch: [] })],
  ['shows another patch', 'Vpc/other', 9, () => ({ patch: [{ op: 'replace', path: '/description', value: 'harmless' }] })],
  [
    'hides a change to what is not known yet',
    'Instance/web',
    6,
    (one) => ({
      after_unknown: ['/uefi'],
      unresolved: { '/uefi': "${Vpc['new'].vlan == 1}" },
      requires: [...one.requires, 'Vpc/new'].toSorted(),
      depends_on: [...one.requires, 'Vpc/new'].toSorted(),
    }),
  ],
  ['shows another past', 'Vpc/other', 6, (one) => ({ before: { ...one.before, description: 'another' }, patch: [] })],
  ['changes nothing of what it shows', 'Vpc/other', 6, (one) => ({ before: one.after, patch: [] })],
  [
    'calls a replacement an update',
    'Vpc/other',
    6,
    (one) => ({
      after: { ...one.after, range: '10.99.0.0/24' },
      patch: [
        { op: 'replace', path: '/description', value: 'another' },
        { op: 'replace', path: '/range', value: '10.99.0.0/24' },
      ],
    }),
  ],
  ['names another reason', 'Vpc/other', 6, () => ({ reason: 'drifted' })],
  ['hides its steps', 'Vpc/other', 6, () => ({ steps: [] })],
  ['hides what it interrupts', 'Vpc/gone', 6, (one) => ({ disruption: one.disruption === 'none' ? 'data_loss' : 'none' })],
  ['shows other outputs of what goes', 'Vpc/gone', 6, (one) => ({ outputs_before: { ...one.outputs_before, vlan: 7 } })],
  ['knows another fingerprint', 'Vpc/other', 6, () => ({ fingerprint: 'a'.repeat(64) })],
  ['forces a replacement by a field that is as it was', 'Vpc/other', 6, () => ({ action: 'replace', reason: 'immutable_field', replace_paths: ['/range'] })],
  ['makes first what is only updated', 'Vpc/other', 9, () => ({ create_before_destroy: true })],
  ['leaves out what it updates', 'Vpc/other', 9, () => ({ unselected: true })],
  ['has a field that its kind has not', 'Vpc/new', 9, (one) => ({ after: { ...one.after, admin: true } })],
  ['has what its schema does not take', 'Vpc/new', 9, (one) => ({ after: { ...one.after, range: 5 } })],
  ['has what its kind does not take', 'Vpc/new', 9, (one) => ({ after: { ...one.after, range: '8.8.8.8/33' } })],
  ['lacks what its schema wants', 'Vpc/new', 9, () => ({ after: {} })],
  ['requires what is not there', 'Vpc/other', 9, () => ({ requires: ['Vpc/nowhere'], depends_on: ['Vpc/nowhere'] })],
  ['requires itself', 'Vpc/other', 9, () => ({ requires: ['Vpc/other'], depends_on: ['Vpc/other'] })],
  ['does not wait for what it names', 'Instance/more', 9, () => ({ requires: [], depends_on: [] })],
  ['remembers other dependencies', 'Vpc/other', 9, () => ({ depends_on: ['Vpc/main'] })],
  ['takes the place of another in its group', 'FirewallRule/ssh', 9, () => ({ rank: -5 })],
  ['leaves its group', 'FirewallRule/ssh', 9, () => ({ group: null })],
  ['drops what is not known yet', 'Instance/more', 9, () => ({ unresolved: {} })],
  ['ends at once', 'Vpc/other', 9, () => ({ timeouts: { create: 0, update: 0, delete: 0 } })],
  [
    'sends a secret as a plain text',
    'Vpc/new',
    6,
    (one, plan) => ({ after: { ...one.after, description: { $sensitive: true } }, digests: { '/description': digestIn(plan) } }),
  ],
  ['sends a marker', 'Vpc/new', 9, (one) => ({ after: { ...one.after, description: { $sensitive: true } } })],
  ['sends a token', 'Vpc/new', 9, (one, plan) => ({ after: { ...one.after, description: `\u0001digest\u0001${digestIn(plan)}\u0002` } })],
  [
    'has a text of another place',
    'Vpc/new',
    6,
    (one) => ({
      after: { ...one.after, description: undefined },
      after_unknown: ['/description'],
      unresolved: { '/description': `hmac-sha256:${'a'.repeat(64)}` },
    }),
  ],
]

/** How a plan ends: the exit code, and what was sent. */
async function outcomeOf({ world }: Pick<Scene, 'world'>, plan: () => Plan, texts = after) {
  const sent = effects(world)
  try {
    const { exitCode } = await world.applySaved(texts, plan())
    return { code: exitCode, sent }
  } catch (error) {
    if (!(error instanceof Error && 'exitCode' in error)) throw error
    return { code: Number(error.exitCode), sent }
  }
}

describe('a change that', () => {
  test.each(forgeries)('%s (%s): %d', async (_, address, code, forgery) => {
    const one = await scene()
    expect(await outcomeOf(one, () => saved(forged(one.plan, address, forgery)))).toEqual({ code, sent: [] })
  })
  test('is as it was made is carried out', async () => {
    const one = await scene()
    const done = await outcomeOf(one, () => saved(one.plan))
    expect([done.code, done.sent.length > 5]).toEqual([0, true])
  })
})

describe('a plan', () => {
  const whole: readonly (readonly [string, number, (plan: Plan) => object])[] = [
    ['that counts otherwise', 9, ({ summary }) => ({ summary: { ...summary, delete: 0, no_op: 9 } })],
    ['with another salt', 9, () => ({ salt: Buffer.alloc(32, 7).toString('base64') })],
    ['with a short salt', 9, () => ({ salt: 'AAAA' })],
    ['with other settings', 6, ({ compat }) => ({ compat: { ...compat, read_grace: '0s' } })],
    [
      'with settings that iac.yaml would not take',
      9,
      ({ compat }) => ({ compat: { ...compat, attach_ip: { ...compat.attach_ip, path: 'https://elsewhere.example/' } } }),
    ],
    ['to destroy that makes something', 9, () => ({ mode: 'destroy' })],
    ['to record that does something', 9, () => ({ mode: 'refresh-only' })],
    ['that was made without reading, and read', 9, () => ({ refreshed: false })],
    [
      'that leaves out what is protected',
      9,
      ({ changes, summary }) => ({ changes: changes.filter((one) => one.address !== 'Vpc/main'), summary: { ...summary, no_op: summary.no_op - 1 } }),
    ],
    ['of another lineage', 6, ({ state }) => ({ state: { ...state, lineage: 'another' } })],
    ['that knows of no state', 6, () => ({ state: { lineage: null, serial: 0 } })],
    ['of another serial', 6, ({ state }) => ({ state: { ...state, serial: state.serial + 1 } })],
    ['that drifts where nothing is', 9, ({ drift, changes }) => ({ drift: [...(drift ?? []), { ...changes[0], address: 'Vpc/nowhere', kind: 'Vpc' }] })],
    ['that names what it does not show', 9, ({ names }) => ({ names: { ...names, Plan: { ...names?.['Plan'], '12345': 'ryzen-4' } } })],
    ['that names a workspace that it does not show', 9, ({ workspaces }) => ({ workspaces: { ...workspaces, '12345': 'default' } })],
    ['that leaves out what it changes', 9, () => ({ left_out: ['Vpc/other'] })],
    ['that leaves out one twice', 9, () => ({ left_out: ['Vpc/main', 'Vpc/main'] })],
    ['made by another version', 9, () => ({ tool_version: '9.9.9' })],
  ]
  test.each(whole)('%s: %d', async (_, code, forgery) => {
    const one = await scene()
    expect(await outcomeOf(one, () => saved(withHash({ ...one.plan, ...forgery(one.plan) })))).toEqual({ code, sent: [] })
  })
  test('that destroys more than the budget allows, however it says why', async () => {
    const one = await scene(files(guards, kept, lasting))
    expect((await outcomeOf(one, () => saved(one.plan), files(guards, kept, lasting))).code).toBe(5)
    const failed = forged(one.plan, 'Vpc/gone', () => ({ reason: 'failed' }))
    expect((await outcomeOf(one, () => saved(failed), files(guards, kept, lasting))).code).toBe(9)
  })
  test('whose operations wait for each other, by what they require and what they hold', async () => {
    const one = await scene()
    const round =
      (address: string, other: string) =>
      (plan: Plan): Plan =>
        forged(plan, address, () => ({ requires: [other], depends_on: [other] }))
    const circle = round('Vpc/other', 'Vpc/new')(round('Vpc/new', 'Vpc/other')(one.plan))
    expect(await outcomeOf(one, () => saved(circle))).toEqual({ code: 9, sent: [] })
    const idle = round('Vpc/main', 'Vpc/lasting')(round('Vpc/lasting', 'Vpc/main')(one.plan))
    expect(await outcomeOf(one, () => saved(idle))).toEqual({ code: 9, sent: [] })
  })
})

describe('what is protected stays, though nothing else in the plan is wrong:', () => {
  const open = vpc('main')
  const closed = vpc('main', '10.20.0.0/24', 'lifecycle: { prevent_destroy: true }')
  const other = vpc('other', '10.30.0.0/24')
  // Two worlds of one seed: what is planned in one where nothing is protected fits the other in everything else.
  const twins = async (next: string, selection = {}): Promise<Scene> => {
    const [free, world] = [createWorld(), createWorld()]
    await free.apply(files('', open, other))
    await world.apply(files('', closed, other))
    return { world, plan: (await free.plan(files('', next), selection)).plan }
  }
  test.each([
    ['a deletion', other, {}, other],
    ['a deletion that says it is protected', other, {}, other],
    ['a replacement', `${open.replace('10.20', '10.21')}\n${other}`, {}, other],
    ['a replacement on request', `${open}\n${other}`, { replace: ['Vpc/main'] }, other],
    ['a destroy', `${open}\n${other}`, { destroy: true }, `${open}\n${other}`],
    ['a destroy, by its manifest', `${open}\n${other}`, { destroy: true }, `${closed}\n${other}`],
  ])('%s', async (name, next, selection, texts) => {
    const one = await twins(next, selection)
    const isKept = name.includes('says')
    const plan = (): Plan => saved(isKept ? forged(one.plan, 'Vpc/main', () => ({ protected: true })) : one.plan)
    expect(await outcomeOf(one, plan, files('', texts))).toEqual({ code: 5, sent: [] })
  })
  test('where its manifest lifts the protection, it goes', async () => {
    const one = await twins(`${open.replace('10.20', '10.21')}\n${other}`)
    expect((await outcomeOf(one, () => saved(one.plan), files('', open.replace('10.20', '10.21'), other))).code).toBe(0)
  })
})

describe('what a manifest says at the time of the apply', () => {
  test('protects, though it did not when the plan was made', async () => {
    const one = await scene(files(guards, ...wanted.filter((text) => !text.includes('name: other'))))
    const texts = files(guards, ...wanted, vpc('gone', '10.40.0.0/24', 'lifecycle: { prevent_destroy: true }'))
    const { code, sent } = await outcomeOf(one, () => saved(one.plan), texts)
    expect([code, sent]).toEqual([6, []])
  })
  test('is not asked of what the plan leaves alone, nor by what it makes', async () => {
    const one = await scene(files(guards, ...wanted, vpc('gone', '10.40.0.0/24'), vpc('new', '10.50.0.0/24')))
    expect((await outcomeOf(one, () => saved(one.plan), files(guards, ...wanted, vpc('new', '10.51.0.0/24')))).code).toBe(0)
  })
  test('lifts a protection where nothing else may', async () => {
    const next = files(guards, kept.replace('prevent_destroy: true', 'prevent_destroy: false'), ...wanted.slice(1), vpc('gone', '10.40.0.0/24'))
    const one = await scene(next)
    expect((await outcomeOf(one, () => saved(one.plan), files(guards))).code).toBe(5)
    expect((await outcomeOf(one, () => saved(one.plan), next)).code).toBe(0)
  })
  test('takes over what its import names, and nothing where it is not at hand', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const [made] = world.sandbox.world.tables.vpcs.all()
    const other = world.beside()
    const texts = files('', vpc('main', '10.20.0.0/24', `import: { id: "${made?.id}" }`))
    const plan = saved((await other.plan(texts)).plan)
    await expect(other.applySaved(files(''), plan)).rejects.toMatchObject({ exitCode: 6 })
    expect((await other.applySaved(texts, plan)).exitCode).toBe(0)
  })
})

test.each(['${vars.password}', "${K3sSecret['db'].data.PASSWORD}", '${sha256(vars.password)}'])(
  'a text that nobody wrote gives nothing sensitive: %s',
  async (text) => {
    const one = await scene()
    const requires = text.includes('K3sSecret') ? ['K3sSecret/db'] : []
    const change = (each: Change): object => {
      const { description: _, ...rest } = each.after ?? {}
      return { after: rest, after_unknown: ['/description'], unresolved: { '/description': text }, requires, depends_on: requires }
    }
    const plan = saved(forged(one.plan, 'Vpc/new', change))
    const bodies: string[] = []
    one.world.sandbox.faults.hook = ({ body }) => void bodies.push(body ?? '')
    const done = await one.world.applySaved(after, plan)
    expect([done.exitCode, done.outcome?.failed.map((each) => each.summary)[0]]).toEqual([8, expect.stringContaining('no manifest here says it')])
    expect(bodies.filter((body) => body.includes('description') && /first secret|[0-9a-f]{64}/.test(body))).toEqual([])
  },
)

describe('a member', () => {
  const hostile: readonly JsonValue[] = [
    null,
    true,
    0,
    -1,
    1e300,
    '',
    'x',
    '../../v1/x',
    'Vpc/main',
    'Vpc/other',
    '12345',
    '${vars.password}',
    '/name',
    {},
    [],
    ['Vpc/main'],
    { $sensitive: true },
    'a'.repeat(64),
  ]
  const paths = (value: JsonValue, at: readonly (string | number)[] = []): (readonly (string | number)[])[] => {
    const inner = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
    return [...(at.length === 0 ? [] : [at]), ...inner.flatMap(([key, one]) => paths(one, [...at, key]))]
  }
  const put = (value: JsonValue, [head, ...rest]: readonly (string | number)[], what: JsonValue): JsonValue => {
    if (head === undefined) return what
    if (isList(value)) return value.map((one, index) => (index === head ? put(one, rest, what) : one))
    return isObject(value) ? { ...value, [head]: put(value[head] ?? null, rest, what) } : value
  }
  test('with anything in its place is refused, or has no effect that the plan did not have', async () => {
    const usual = await scene()
    const reference = usual.world.sandbox
    const bodies = (world: World): string[] => {
      const out: string[] = []
      world.sandbox.faults.hook = ({ operation, method, body }) => void (method === 'GET' || out.push(`${operation} ${body ?? ''}`))
      return out
    }
    const expected = bodies(usual.world)
    expect((await usual.world.applySaved(after, saved(usual.plan))).exitCode).toBe(0)
    const [allowed, named] = [new Set(expected), new Set(expected.map((one) => one.split(' ')[0]))]
    expect(reference.world.tables.vpcs.all()).toHaveLength(4)
    const document = planDocument((await scene()).plan)
    const all = paths(document).filter(([first]) => first !== 'hash')
    const draw = fc.record({ path: fc.constantFrom(...all), what: fc.constantFrom(...hostile) })
    await fc.assert(
      fc.asyncProperty(draw, async ({ path, what }) => {
        const plan = readAgain(put(document, path, what))
        if (plan === undefined) return
        const { world } = await scene()
        const sent = bodies(world)
        await world.applySaved(after, plan).catch((error: unknown) => {
          if (!(error instanceof Error && 'exitCode' in error && [3, 5, 6, 9].includes(Number(error.exitCode)))) throw error
        })
        // What is to be there is what the file says: that it is what somebody wanted, a signature alone tells.
        const isUsual = (one: string): boolean => (path[2] === 'after' ? named.has(one.split(' ')[0]) : allowed.has(one))
        expect(sent.filter((one) => !isUsual(one))).toEqual([])
        expect(world.sandbox.world.tables.vpcs.all().some((one) => one.description === 'of main')).toBe(true)
        const record = (await world.document())?.resources.find((one) => one.address === 'Vpc/main')
        expect(record).toMatchObject({ protected: true })
      }),
      { numRuns: longForm(1000, 30), seed: seedFor('forged plans') },
    )
  }, 900_000)
})

/** A document with its hash made anew, as a plan; undefined where it is refused as it is read. */
function readAgain(document: JsonValue): Plan | undefined {
  if (!isObject(document)) return undefined
  try {
    return readPlan(stringifyJson(rehashed(document)), 'plan.json', '0.0.0')
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 9, diagnostics: [{ code: 'plan_damaged' }] })
    return undefined
  }
}
