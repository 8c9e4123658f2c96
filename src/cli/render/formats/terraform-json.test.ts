// Plan JSON by the schema of a reader of Terraform's plans, and as policies ask it.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { unknownMark } from '../text/value-text.ts'
import type { Report } from './report.ts'
import { terraformJson } from './terraform-json.ts'

const actions = z.union([
  z.tuple([z.enum(['no-op', 'create', 'read', 'delete', 'update', 'forget', 'open'])]),
  z.tuple([z.literal('delete'), z.literal('create')]),
  z.tuple([z.literal('create'), z.literal('delete')]),
])
const tree = z.union([z.boolean(), z.record(z.string(), z.unknown())])
const values = z.record(z.string(), z.unknown())
const change = z.strictObject({
  actions,
  before: values.nullable(),
  after: values.nullable(),
  after_unknown: tree,
  before_sensitive: tree,
  after_sensitive: tree,
  replace_paths: z.array(z.array(z.union([z.string(), z.number()]))).optional(),
  importing: z.strictObject({ id: z.string() }).optional(),
})
const identity = {
  address: z.string(),
  mode: z.literal('managed'),
  type: z.string(),
  name: z.string(),
  index: z.string().optional(),
  provider_name: z.string(),
}
const changes = z.array(
  z.strictObject({ ...identity, previous_address: z.string().optional(), deposed: z.string().optional(), change, action_reason: z.string().optional() }),
)
const resources = z.array(z.strictObject({ ...identity, schema_version: z.int(), values, sensitive_values: values }))
const outputChange = z.strictObject({
  actions,
  before: z.unknown(),
  after: z.unknown(),
  after_unknown: z.boolean(),
  before_sensitive: z.boolean(),
  after_sensitive: z.boolean(),
})
const shape = z.strictObject({
  format_version: z.string().regex(/^1\./),
  terraform_version: z.string(),
  variables: z.record(z.string(), z.strictObject({ value: z.unknown() })),
  planned_values: z.strictObject({
    outputs: z.record(z.string(), z.object({ sensitive: z.boolean(), value: z.unknown().optional() })),
    root_module: z.strictObject({ resources }),
  }),
  resource_drift: changes,
  resource_changes: changes,
  output_changes: z.record(z.string(), outputChange),
  prior_state: z.object({ values: z.strictObject({ outputs: values, root_module: z.strictObject({ resources }) }) }),
  configuration: values,
  checks: z.array(z.never()),
  timestamp: z.iso.datetime(),
  applyable: z.boolean(),
  complete: z.boolean(),
  errored: z.boolean(),
})

const read = (plan: Plan, rest: Partial<Report> = {}) => shape.parse(JSON.parse(terraformJson(reportOf(plan, rest))))
const only = (plan: Plan) => {
  const [one] = read(plan).resource_changes
  if (!one) throw new Error('there is no change')
  return one
}

test.each<[Parameters<typeof changeOf>[0], readonly string[], string | undefined]>([
  [{ action: 'no-op' }, ['no-op'], undefined],
  [{ action: 'create', reason: 'new' }, ['create'], undefined],
  [{ action: 'update' }, ['update'], undefined],
  [{ action: 'replace', reason: 'immutable_field' }, ['delete', 'create'], 'replace_because_cannot_update'],
  [{ action: 'replace', reason: 'requested', create_before_destroy: true }, ['create', 'delete'], 'replace_by_request'],
  [{ action: 'replace', reason: 'trigger' }, ['delete', 'create'], 'replace_by_triggers'],
  [{ action: 'replace', reason: 'failed' }, ['delete', 'create'], 'replace_because_tainted'],
  [{ action: 'replace', reason: 'expiring' }, ['delete', 'create'], undefined],
  [{ action: 'delete', reason: 'removed' }, ['delete'], 'delete_because_no_resource_config'],
  [{ action: 'delete', reason: 'removed', address: 'Vpc/main["a"]' }, ['delete'], 'delete_because_each_key'],
  [{ action: 'forget' }, ['forget'], undefined],
  [{ action: 'import' }, ['no-op'], undefined],
  [{ action: 'import', steps: ['update'] }, ['update'], undefined],
])('%j is %j', (given, tuple, reason) => {
  const told = only(planOf([changeOf(given)]))
  expect([told.change.actions, told.action_reason]).toEqual([tuple, reason])
  expect(told.change.importing).toEqual(given.action === 'import' ? { id: '7' } : undefined)
})

test('values, and where they are unknown, sensitive or force a replacement', () => {
  const before = { name: 'a', key: { $sensitive: true }, list: [{ port: 1 }] }
  const after = { name: 'b', key: { $sensitive: true }, list: [{ port: 2 }, null, { word: { $sensitive: true } }] }
  const told = only(planOf([changeOf({ action: 'replace', before, after, after_unknown: ['/list/1', '/vpc'], replace_paths: ['/list/0/port', '/name'] })]))
  expect(told.change).toEqual({
    actions: ['delete', 'create'],
    before: { id: '7', name: 'a', key: '(sensitive value)', list: [{ port: 1 }] },
    after: { name: 'b', key: '(sensitive value)', list: [{ port: 2 }, null, { word: '(sensitive value)' }] },
    after_unknown: { list: [false, true, false], vpc: true, id: true },
    before_sensitive: { key: true },
    after_sensitive: { key: true, list: [false, false, { word: true }] },
    replace_paths: [['list', 0, 'port'], ['name']],
  })
})

test('what a resource is called', () => {
  const told = read(planOf([changeOf({ address: 'Vpc/b["x"]', previous_address: 'Vpc/a' }), changeOf({ address: 'Vpc/a', action: 'delete', deposed: true })]))
  expect(told.resource_changes.map(({ address, type, name, index, previous_address: from, deposed }) => [address, type, name, index, from, deposed])).toEqual([
    ['Vpc/a', 'Vpc', 'a', undefined, undefined, '7'],
    ['Vpc/b["x"]', 'Vpc', 'b', 'x', 'Vpc/a', undefined],
  ])
})

test('what was and what will be', () => {
  const spec = { name: 'a' }
  const plan = planOf([
    changeOf({ address: 'Vpc/a', action: 'create', id: null, after: spec }),
    changeOf({ address: 'Vpc/b', action: 'delete', before: spec }),
    changeOf({ address: 'Vpc/c', action: 'no-op', before: spec, after: spec }),
  ])
  const told = read(plan)
  const named = (all: z.infer<typeof resources>) => all.map((one) => [one.address, one.values])
  expect(named(told.prior_state.values.root_module.resources)).toEqual([
    ['Vpc/b', { id: '7', ...spec }],
    ['Vpc/c', { id: '7', ...spec }],
  ])
  expect(named(told.planned_values.root_module.resources)).toEqual([
    ['Vpc/a', spec],
    ['Vpc/c', { id: '7', ...spec }],
  ])
})

test('outputs, drift and variables', () => {
  const outputs = {
    a: { value: 1, sensitive: false },
    b: { expression: '${x}' },
    c: { value: { $sensitive: true }, sensitive: true },
    d: { value: 2, sensitive: false },
  }
  const drift = [changeOf({ before: { name: 'a' }, after: { name: 'x' } }), changeOf({ address: 'Vpc/c', action: 'delete', before: { name: 'a' } })]
  const told = read(planOf([], { outputs, drift, variables: { size: 9007199254740993n } }), {
    outputs: { before: { a: 0, gone: 1 }, after: { a: 1, b: unknownMark, c: { $sensitive: true } } },
  })
  expect(
    Object.entries(told.output_changes).map(([name, one]) => [name, ...one.actions, one.before, one.after, one.after_unknown, one.after_sensitive]),
  ).toEqual([
    ['a', 'update', 0, 1, false, false],
    ['b', 'create', null, null, true, false],
    ['c', 'create', null, '(sensitive value)', false, true],
    ['d', 'no-op', 2, 2, false, false],
    ['gone', 'delete', 1, null, false, false],
  ])
  expect(told.planned_values.outputs).toEqual({
    a: { sensitive: false, value: 1 },
    b: { sensitive: false },
    c: { sensitive: true, value: '(sensitive value)' },
    d: { sensitive: false, value: 2 },
  })
  expect(told.resource_drift.map((one) => one.change.actions)).toEqual([['delete'], ['update']])
  expect(terraformJson(reportOf(planOf([], { variables: { size: 9007199254740993n } })))).toContain('"value": 9007199254740993\n')
})

test('whether it can be applied', () => {
  const state = (plan: Plan) => Object.values(read(plan)).slice(-3)
  expect(state(planOf([changeOf({})]))).toEqual([true, true, false])
  expect(state(planOf([]))).toEqual([false, true, false])
  expect(state(planOf([changeOf({})], { diagnostics: [diagnostic('usage', 'bad')] }))).toEqual([false, false, true])
})

test('policies find what goes, by kind, and what a field will be', () => {
  const told = read(planOf([changeOf({ action: 'replace' }), changeOf({ address: 'Disk/a', kind: 'Disk', action: 'update', after: { size: 5 } })]))
  // deny contains r.address if { some r in input.resource_changes; "delete" in r.change.actions }
  expect(told.resource_changes.filter((one) => one.change.actions.some((action) => action === 'delete')).map((one) => one.address)).toEqual(['Vpc/main'])
  // deny if { some r in input.resource_changes; r.type == "Disk"; r.change.after.size < 10 }
  expect(told.resource_changes.filter((one) => one.type === 'Disk' && Number(one.change.after?.['size']) < 10)).toHaveLength(1)
})
