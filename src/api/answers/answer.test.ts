// Workflow and record are found in every wrapper, and their absence is noticed where they are due.
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../base/json.ts'
import { compatSchema } from '../calls/compat.ts'
import { routes } from '../routes/routes.ts'
import { idIn, readAnswer, workflowOf } from './answer.ts'

const compat = compatSchema.parse({})
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
const workflow = { id: uuid, name: 'instance.create', state: 'QUEUED', duration: 0, started: '2026-01-01T00:00:00Z', data: null }
const instance = { id: '9007199254740993', name: 'web', plan: { id: '3', name: 'ryzen-4' }, workspace: { id: '1' } }

describe('readAnswer of a workflow with its resource', () => {
  test.each<[string, JsonValue]>([
    ['both members', { workflow, instance }],
    ['other names', { task: workflow, data: instance }],
    ['workflow on top', { ...workflow, instance }],
    ['workflow on top, with its workspace', { ...workflow, workspace: { id: '1' }, instance }],
    ['resource on top', { ...instance, workflow }],
    ['numbers for ids', { workflow, instance: { ...instance, id: 9007199254740993n } }],
    ['several records', { workflow, node: { id: '5' }, instance, region: { name: 'fra' } }],
  ])('%s', (_, body) => {
    const found = readAnswer(routes.createInstance, 202, body, compat)
    expect(found).toMatchObject({ status: 202, workflowId: uuid })
    expect(found?.resourceId).toBe('9007199254740993')
  })

  test('one of the two is enough, none is not', () => {
    expect(readAnswer(routes.createInstance, 201, workflow, compat)).toMatchObject({ workflowId: uuid, resourceId: undefined })
    expect(readAnswer(routes.createInstance, 201, instance, compat)).toMatchObject({ workflowId: undefined, resourceId: '9007199254740993' })
    for (const body of [undefined, null, {}, [], 'ok', { id: 'x' }, { id: '../x' }, { id: '' }, { workspace: { id: '1' } }]) {
      expect(readAnswer(routes.createInstance, 201, body, compat), JSON.stringify(body)).toBeUndefined()
    }
  })

  test('settings name the members', () => {
    const named = compatSchema.parse({ wrapper: { workflow: 'job', resource: 'thing' } })
    const body = { job: workflow, other: { ...workflow, id: uuid.replace('0', '1') }, thing: { id: '7' }, instance }
    expect(readAnswer(routes.createInstance, 202, body, named)).toMatchObject({ workflowId: uuid, resourceId: '7' })
  })

  test('what is not wrapped is found whatever the settings say', () => {
    const named = compatSchema.parse({ wrapper: { workflow: 'job', resource: 'thing' } })
    expect(readAnswer(routes.deleteInstance, 202, workflow, named)).toMatchObject({ workflowId: uuid })
    expect(readAnswer(routes.createVpc, 201, { id: '5' }, named)).toMatchObject({ resourceId: '5' })
  })
})

describe('readAnswer of other routes', () => {
  test('a record needs its id only where the document shows one', () => {
    expect(readAnswer(routes.createVpc, 201, { id: '5', name: 'main' }, compat)).toMatchObject({ resourceId: '5' })
    expect(readAnswer(routes.createVpc, 201, { vpc: { id: '5' } }, compat)).toMatchObject({ resourceId: '5' })
    expect(readAnswer(routes.createVpc, 201, { name: 'main' }, compat)).toBeUndefined()
    expect(readAnswer(routes.refreshToken, 200, { expires: '2026-01-01T00:00:00Z' }, compat)).toMatchObject({ resourceId: undefined })
    expect(readAnswer(routes.refreshToken, 200, undefined, compat)).toBeUndefined()
  })

  test('nothing and an audit entry are answers', () => {
    expect(readAnswer(routes.deleteSshKey, 202, undefined, compat)).toEqual({ status: 202, body: undefined })
    expect(readAnswer(routes.joinVpc, 201, undefined, compat)).toEqual({ status: 201, body: undefined })
    expect(readAnswer(routes.joinVpc, 201, { event: 'joined' }, compat)).toMatchObject({ status: 201 })
  })

  test('a workflow alone is due', () => {
    expect(readAnswer(routes.deleteInstance, 200, { data: workflow }, compat)).toMatchObject({ workflowId: uuid })
    expect(readAnswer(routes.deleteInstance, 200, instance, compat)).toBeUndefined()
  })
})

describe('workflowOf', () => {
  test('reads progress and is lenient', () => {
    const progress = {
      completed: 1,
      total: 3,
      activities: [
        { name: 'place', status: 'COMPLETED' },
        { name: 'boot', status: 'RUNNING' },
        { name: 'check', status: 'PENDING' },
      ],
    }
    expect(workflowOf({ ...workflow, progress })).toEqual({
      id: uuid,
      name: 'instance.create',
      state: 'QUEUED',
      data: null,
      startedMs: Date.parse(workflow.started),
      durationMs: workflow.duration,
      progress: { completed: 1, total: 3, activity: 'boot' },
    })
    expect(workflowOf({ workflow: { id: uuid, state: 'PAUSED', progress: 7 } })).toEqual({ id: uuid, name: '', state: 'PAUSED', data: undefined })
    for (const body of [undefined, null, [], {}, { id: uuid }, { id: '7', state: 'RUNNING' }]) expect(workflowOf(body)).toBeUndefined()
  })
})

describe('idIn', () => {
  test.each<[JsonValue | undefined, string | undefined, string | undefined]>([
    [{ instance_id: '7' }, undefined, '7'],
    [{ instance_id: '7', node_id: '3' }, undefined, '7'],
    [{ instance_id: '7', firewall_rule_id: 9n }, undefined, '9'],
    [{ instance_id: '7', node_id: '3' }, 'node', '3'],
    [{ id: 12 }, 'disk', '12'],
    [{ app: { id: '4' }, instance: { id: '7' } }, undefined, '4'],
    [{ ip_id: '0' }, undefined, undefined],
    [{ ip_id: '../1' }, undefined, undefined],
    [null, undefined, undefined],
    [undefined, 'ip', undefined],
  ])('case %#', (data, word, id) => {
    expect(idIn(data, word)).toBe(id)
  })
})
