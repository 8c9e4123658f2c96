// The files that other tools read: the state exactly as it is written, the plan with exactly its members.
import { describe, expect, test } from 'vitest'
import { canonicalJson, parseJson, stringifyJson } from '../../src/base/json.ts'
import { toJson } from '../../src/engine/model/live.ts'
import { withHash } from '../../src/engine/plan/plan.ts'
import { decodeDocument } from '../../src/state/document.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, attachment, files, instance, project, vpc } from './stage.ts'

const texts = {
  'iac.yaml': project('outputs: { range: { value: "${Vpc[\'main\'].range}" } }\n'),
  'main.yaml': all(
    vpc('main', '10.20.0.7/24', 'lifecycle: { prevent_destroy: true, on_remove: retain }'),
    manifest('BgpConfiguration', 'bgp', 'asn: 64512\npassword: "${sensitive(\'bgp-word\')}"'),
    instance('web'),
    attachment('web', 'web', 'main'),
  ),
}

const textOf = (world: World, path: string) => new TextDecoder().decode(world.fileSystem.files().get(`/project/.iac/${path}`))

describe('the state file', () => {
  test('is in its documented form', async () => {
    const world = createWorld()
    const { document } = await world.apply(texts)
    const text = textOf(world, 'state.json')
    expect(text.endsWith('}\n')).toBe(true)
    const members = [...text.matchAll(/^ {2}"(\w+)":/gm)].map((match) => match[1])
    expect(members).toEqual(['format', 'tool_version', 'lineage', 'serial', 'salt', 'checksum', 'project', 'environment', 'resources', 'outputs'])
    expect(text).toContain(`  "format": "iac-state/v1",\n  "tool_version": "0.0.0",\n  "lineage": "${document.lineage}",\n  "serial": ${document.serial},\n`)
    expect(Buffer.from(document.salt, 'base64')).toHaveLength(32)
    const main = document.resources.find((one) => one.kind === 'Vpc')
    expect(text).toContain(
      `    {
      "address": "Vpc/main",
      "kind": "Vpc",
      "id": "${main?.id}",
      "workspace_id": "${world.sandbox.workspaceId}",
      "status": "ready",
      "spec": {
        "name": "main-net",
        "description": "of main",
        "range": "10.20.0.0/24"
      },
      "outputs": {
        "id": "${main?.id}",
        "range": "10.20.0.0/24",
        "vlan": 100
      },
      "depends_on": [],
      "protected": true,
      "on_remove": "retain",
      "deposed": [],
      "origins": {}
    }`,
    )
    expect(text).toContain('  "outputs": {\n    "range": {\n      "value": "10.20.0.0/24",\n      "sensitive": false\n    }\n  }\n}\n')
    expect(text).toMatch(/"password": \{\n\s+"\$digest": "hmac-sha256:[0-9a-f]{64}"\n/)
    const addresses = [...text.matchAll(/^ {6}"address": "([^"]+)"/gm)].map((match) => match[1])
    expect(addresses).toEqual(['BgpConfiguration/bgp', 'Instance/web', 'Vpc/main', 'VpcAttachment/web'])
    expect(decodeDocument(text, 'state.json')).toEqual(document)
  })
  test('is left as it is by a run without a difference, and by a plan', async () => {
    const world = createWorld()
    await world.apply(texts)
    const before = textOf(world, 'state.json')
    await world.plan(texts)
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect(textOf(world, 'state.json')).toBe(before)
    expect(textOf(world, 'state.json.journal')).not.toContain('"t":"intent"')
  })
  test('counts its serial up with every apply that changes something', async () => {
    const world = createWorld()
    const first = await world.apply(vpc('main'))
    const second = await world.apply(vpc('main').replace('of main', 'second'))
    expect(second.document.serial).toBeGreaterThan(first.document.serial)
    expect(second.document.lineage).toBe(first.document.lineage)
    expect(textOf(world, `state.json.history/${first.document.serial}`)).toContain('of main')
  })
})

describe('a plan', () => {
  const contract = `address kind workspace_id id action reason before after after_unknown unresolved patch replace_paths
    create_before_destroy disruption steps requires timeouts previous_address protected on_remove fingerprint`.split(/\s+/)
  // What carrying out the file alone needs besides.
  const own = ['workspace_address', 'depends_on', 'restart_on', 'digests', 'group', 'rank', 'deposed']

  test('has exactly its members', async () => {
    const world = createWorld()
    await world.apply(texts)
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    const { plan } = await world.plan(files('', vpc('main').replace('main-net', 'other-net'), instance('web')))
    const members =
      `format mode tool_version created_at project environment hash salt state variables compat changes summary lifted drift outputs outputs_before
      names workspaces only_workspace diagnostics cost quota review`.split(/\s+/)
    expect(Object.keys(plan).toSorted()).toEqual(members.toSorted())
    for (const change of [...plan.changes, ...(plan.drift ?? [])]) {
      const of = change.action === 'delete' ? [...contract, ...own, 'outputs_before'] : [...contract, ...own]
      expect(Object.keys(change).toSorted()).toEqual(of.toSorted())
    }
    expect(Object.keys(plan.summary)).toEqual(['create', 'update', 'replace', 'delete', 'import', 'forget', 'no_op'])
    expect(plan).toMatchObject({
      format: 'iac-plan/v1',
      project: 'shop',
      environment: null,
      state: { serial: expect.any(Number), lineage: expect.any(String) },
    })
    expect(plan.cost && Object.keys(plan.cost)).toEqual(['currency', 'unit', 'hourly_before', 'hourly_after', 'monthly_before', 'monthly_after', 'unpriced'])
  })
  test('says what changes in every form', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const id = (await world.document())?.resources[0]?.id
    const { plan } = await world.plan(files('', vpc('main').replace('of main', 'second')))
    expect(plan.changes).toEqual([
      {
        address: 'Vpc/main',
        kind: 'Vpc',
        workspace_id: world.sandbox.workspaceId,
        workspace_address: null,
        id,
        action: 'update',
        reason: 'changed',
        before: { name: 'main-net', description: 'of main', range: '10.20.0.0/24' },
        after: { name: 'main-net', description: 'second', range: '10.20.0.0/24' },
        after_unknown: [],
        unresolved: {},
        digests: {},
        patch: [{ op: 'replace', path: '/description', value: 'second' }],
        replace_paths: [],
        create_before_destroy: false,
        disruption: 'none',
        steps: ['update'],
        requires: [],
        depends_on: [],
        restart_on: [],
        timeouts: { create: 1_800_000, update: 1_200_000, delete: 1_200_000 },
        previous_address: null,
        protected: false,
        on_remove: 'delete',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        group: null,
        rank: 0,
        deposed: false,
      },
    ])
  })
  test('before the first apply has no lineage, and a hash over the rest', async () => {
    const { plan } = await createWorld().plan(vpc('main'))
    expect(plan.state).toEqual({ lineage: null, serial: 0, place: expect.stringMatching(/^hmac-sha256:/) })
    expect(plan.changes[0]).toMatchObject({ id: null, before: null, fingerprint: null })
    const again = withHash({ ...plan, hash: 'other' })
    expect(again.hash).toBe(plan.hash)
    expect(withHash({ ...plan, tool_version: '0.0.1' }).hash).not.toBe(plan.hash)
    expect(canonicalJson(parseJson(stringifyJson(toJson(plan))))).toBe(canonicalJson(toJson(plan)))
  })
  test('is the same for the same facts', async () => {
    const [one, two] = await Promise.all([createWorld().plan(texts), createWorld().plan(texts)])
    expect(stringifyJson(toJson(one.plan))).toBe(stringifyJson(toJson(two.plan)))
  })
  test('lists what is deleted with null after, in an order in which it could run', async () => {
    const world = createWorld()
    await world.apply(texts)
    const { plan } = await world.plan(files('', instance('web')))
    expect(plan.changes.map((one) => [one.address, one.action, one.after])).toEqual([
      ['Instance/web', 'no-op', expect.anything()],
      ['BgpConfiguration/bgp', 'delete', null],
      ['Vpc/main', 'forget', null],
      ['VpcAttachment/web', 'delete', null],
    ])
  })
})
