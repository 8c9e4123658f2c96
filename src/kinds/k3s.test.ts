// The kinds of the managed cluster: their steps, checks and warnings.
import { describe, expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { wantedView } from '../../test/builders/wanted-view.ts'
import { ApiError } from '../api/calls/call.ts'
import type { Peer } from './definition/kind.ts'
import { readShape } from './definition/shape.ts'
import { hidden } from './definition/token.ts'
import { K3sCluster } from './k3s-cluster.ts'
import { K3sNode } from './k3s-node.ts'
import { K3sSecret } from './k3s-secret.ts'
import { K3sService } from './k3s-service.ts'

const given = { id: '1', workspaceId: '9', recorded: {}, live: undefined, fresh: true, nowMs: 0 }
const service = { name: 'shop', image: 'shop:1', mode: 'SPREAD', target_instances: ['1'] } as const
const desired = { ...service, target_instances: ['1'] }
const noLookup = () => undefined
const liveService = (answer: object) => readShape(K3sService.live, { id: '5', ...service, target_instances: [{ id: '1', name: 'a' }], ...answer }, {})
const peer = (address: string, spec: Peer['spec'], action?: string): Peer => ({
  address,
  kind: address.split('/')[0] ?? '',
  workspace: '9',
  spec,
  ...(action ? { action } : {}),
})
const bodyOf = (step: { readonly call: object } | undefined) => (step && 'body' in step.call ? step.call.body : undefined)

describe('node', () => {
  test('is found by its instance, whether the answer names that or not, and not by what is not known yet', async () => {
    const reader = cannedReader({ '/v1/instances/5/k3s': { node: { id: '7', status: 'JOINING' }, live: null } })
    expect(await K3sNode.find?.(reader, { instance: '5' }, cannedAt())).toMatchObject({ id: '7', instance: '5' })
    expect(await K3sNode.find?.(reader, { instance: '6' }, cannedAt())).toBeUndefined()
    expect(await K3sNode.find?.(reader, { instance: '\u0001ref' }, cannedAt())).toBeUndefined()
    expect(reader.asked).toEqual(['/v1/instances/5/k3s', '/v1/instances/6/k3s'])
  })
})

describe('cluster', () => {
  test.each([null, {}, undefined])('an answer of %o is no cluster', async (answer) => {
    const reader = cannedReader(answer === undefined ? {} : { '/v1/workspaces/9/k3s': answer })
    expect(await K3sCluster.list(reader, cannedAt())).toEqual([])
  })
  test('another cluster in its place is not it', async () => {
    const reader = cannedReader({ '/v1/workspaces/9/k3s': { id: '8', status: 'ACTIVE' } })
    expect(await K3sCluster.read(reader, '7', cannedAt())).toBeUndefined()
    expect(await K3sCluster.read(reader, '8', cannedAt())).toMatchObject({ id: '8' })
  })
})

describe('node', () => {
  const answer = { node: { id: '3', workspace: '9', instance: { id: '1', name: 'a' }, node_name: 'n', status: 'JOINING' }, live: null }
  test('is read out of its wrapping', async () => {
    const one = readShape(K3sNode.live, answer, {})
    expect(K3sNode.toSpec(one)).toEqual({ instance: '1' })
    expect(K3sNode.outputsOf(one)).toEqual({ id: '3', node_name: 'n', status: 'JOINING' })
    expect(K3sNode.status(one, given)).toBe('pending')
  })
  test('there are none without a cluster, and other errors are told', async () => {
    expect(await K3sNode.list(cannedReader({}), cannedAt())).toEqual([])
    const broken = { ...cannedReader({}), all: () => Promise.reject(new ApiError(500, '', 'GET nodes')) }
    await expect(K3sNode.list(broken, cannedAt())).rejects.toThrow('500')
  })
  test('joins what it needs and provides by workspace and instance', () => {
    expect(K3sNode.needs?.({ instance: '1' }, '9')).toEqual(K3sCluster.provides?.({}, '9'))
    expect(K3sService.needs?.(desired, '9')).toEqual(['k3s:9', ...(K3sNode.provides?.({ instance: '1' }, '9') ?? [])])
  })
})

describe('secret', () => {
  const live = { id: '1', name: 'db', keys: ['A', 'B'] }
  test.each([
    [{ data: { B: 'x', A: 'y' } }, {}],
    [{ data: { A: 'x' } }, { data: { A: hidden, B: hidden } }],
    [{ data: { A: 'x', C: 'y' } }, { data: { A: hidden, B: hidden } }],
    [{}, {}],
    [JSON.parse('{"data":"\\u0001digest"}'), {}],
  ])('recorded %o strays as %o', (recorded, shown) => {
    expect(K3sSecret.strays?.({ ...given, recorded, live })).toEqual(shown)
  })
  test('an update sends all of the data, and the plan names the services that keep the old', () => {
    const steps = K3sSecret.steps(wantedView(K3sSecret, { desired: { name: 'db', data: { A: '2' } }, recorded: { name: 'db', data: { A: '1' } }, live }))
    expect(steps.map((step) => [step.name, bodyOf(step)])).toEqual([['update', { data: { A: '2' } }]])
    const peers = [
      peer('K3sSecret/db', { name: 'db' }, 'update'),
      peer('K3sService/a', { secret_refs: ['K3sSecret/db'] }),
      peer('K3sService/b', { secret_refs: ['other'] }),
      peer('K3sService/c', { secret_refs: ['K3sSecret/db'] }, 'create'),
      peer('K3sService/d', { secret_refs: ['K3sSecret/db'] }, 'replace'),
    ]
    expect(K3sSecret.advise?.(peers)).toMatchObject([
      {
        address: 'K3sSecret/db',
        message: expect.stringMatching(/^K3sService\/a will/),
        hint: expect.stringContaining('redeploy_triggered_by: [K3sSecret/db] } in K3sService/a'),
      },
    ])
    expect(K3sSecret.advise?.(peers.slice(1))).toEqual([])
  })
})

describe('service', () => {
  const port = { host_port: 80, container_port: 80, protocol: 'TCP', http: false } as const
  test('an update is full: declared values, what is there for those never declared, nothing for those removed', () => {
    const live = liveService({ ports: [port], replicas: 2, volumes: [{ host_path: '/a', container_path: '/b' }] })
    const [step] = K3sService.steps(
      wantedView(K3sService, { desired: { ...desired, image: 'shop:2' }, recorded: { ...desired, volumes: [], environment: { A: '1' } }, live }),
    )
    expect(bodyOf(step)).toEqual({ image: 'shop:2', target_instances: ['1'], ports: [port], replicas: 2 })
    expect(step).toMatchObject({ sets: { image: 'shop:2' }, clears: ['volumes', 'environment'] })
  })
  test('a pinned one is updated with an interruption and without replicas', () => {
    const pinned = { ...desired, mode: 'PINNED' } as const
    const [step] = K3sService.steps(
      wantedView(K3sService, { desired: { ...pinned, image: 'shop:2' }, recorded: pinned, live: liveService({ mode: 'PINNED', replicas: 1 }) }),
    )
    expect(step?.disruption).toBe('interruption')
    expect(bodyOf(step)).not.toHaveProperty('replicas')
  })
  test.each([
    [{ status: 'RUNNING' }, 'ready'],
    [{ status: 'RUNNING', runtime: { desired_replicas: 2, available_replicas: 2 } }, 'ready'],
    [{ status: 'RUNNING', runtime: { desired_replicas: 2, available_replicas: 1 } }, 'pending'],
    [{ status: 'RUNNING', runtime: { desired_replicas: 1, available_replicas: 1, updating: true } }, 'pending'],
    [{ status: 'UPDATING' }, 'pending'],
    [{ status: 'STOPPED' }, 'stopped'],
    [{ status: 'FAILED' }, 'failed'],
    [{ status: 'DELETING' }, 'leaving'],
    [{ status: 'THINKING' }, 'pending'],
  ] as const)('%o is %s', (answer, status) => {
    expect(K3sService.status(liveService(answer), given)).toBe(status)
  })
  test('is read out of its wrapping, with its runtime', () => {
    const one = readShape(
      K3sService.live,
      {
        service: { id: '5', ...service, secret_refs: ['db'], ports: [{ host_port: 80, container_port: 80, protocol: 'TCP', id: '3' }] },
        live: { desired_replicas: 1 },
      },
      {},
    )
    expect(one.runtime).toMatchObject({ desired_replicas: 1 })
    expect(K3sService.toSpec(one)).toMatchObject({ secret_refs: ['db'], ports: [{ http: false }] })
    expect(K3sService.toSpec(one).ports?.[0]).not.toHaveProperty('id')
  })
  test('an update of one that is being imported needs its environment declared', () => {
    const view = (recorded: object, extra: object) =>
      wantedView(K3sService, { desired: { ...desired, image: 'shop:2', ...extra }, recorded, live: liveService({}), fresh: false })
    expect(K3sService.refuse?.(view({}, {}), noLookup)).toHaveLength(1)
    expect(K3sService.refuse?.(view({}, { environment: {} }), noLookup)).toEqual([])
    expect(K3sService.refuse?.(view({}, { image: 'shop:1' }), noLookup)).toEqual([])
    expect(K3sService.refuse?.(view(desired, {}), noLookup)).toEqual([])
  })
  test.each([
    [{}, []],
    [{ mode: 'PINNED', replicas: 2 }, ['replicas']],
    [{ mode: 'PINNED', target_instances: [] }, ['target_instances']],
    [{ mode: 'SPREAD', target_instances: [] }, []],
    [{ mode: 'PINNED', target_instances: '\u0001t' }, []],
    [{ image: 'registry:5000/shop' }, ['image']],
    [{ image: `registry:5000/shop:1@sha256:${'a'.repeat(64)}` }, []],
    [{ image: 'shop:1@latest' }, ['image']],
    [{ image: 'my shop:1' }, ['image']],
    [{ image: ' shop:1' }, ['image']],
    [{ ports: [port, { ...port, protocol: 'UDP' }, { ...port, container_port: 81 }] }, ['ports']],
    [JSON.parse('{"image":"\\u0001i","ports":"\\u0001p"}'), []],
  ])('check of %o', (other, fields) => {
    expect(K3sService.check?.({ ...desired, ...other }).map((problem) => problem.path[0])).toEqual(fields)
  })
  test('two services want the same port of one instance', () => {
    const spec = { ports: [port], target_instances: ['Instance/a', 'Instance/b'] }
    const peers = [
      peer('K3sService/x', { ...spec, name: 'x' }),
      peer('K3sService/y', { ...spec, name: 'y', target_instances: ['Instance/b'] }),
      peer('K3sService/z', { ...spec, name: 'z', ports: [{ ...port, protocol: 'UDP' }] }),
    ]
    expect(K3sService.checkAll?.(peers).map((problem) => problem.address)).toEqual(['K3sService/y'])
  })
})
