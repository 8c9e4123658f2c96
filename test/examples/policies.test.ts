// Each policy of examples/policies stops what it is for, and lets pass what it is not for.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lifecycleTopics } from '../../src/cli/documents/topics/lifecycle-topics.ts'
import { guardProblems } from '../../src/engine/plan/checks/guards.ts'
import { policyNames } from '../../src/project/resolving/policy.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { policiesPage } from './policies-page.ts'

const folder = join(import.meta.dirname, '../../examples/policies')
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'iac.yaml')
const texts = Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
const head = 'apiVersion: iac/v1\nkind: Project\nname: shop\nmanifests: [main.yaml]\nenvironments: { production: , staging: }\n'

/** Manifests that are to be there, behind those that were applied before. */
interface Story {
  readonly before?: string
  readonly now: string
  readonly environment?: string
  /** Addresses have no price at the service. */
  readonly unpriced?: true
}

const web = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')
const rule = (spec: string) =>
  `${web}${manifest('FirewallRule', 'rule', `instance: web\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\ndescription: what it is for\n${spec}`)}`
const rule6 = (spec: string) => rule(spec).replace('type: IPv4', 'type: IPv6')
const disk = (spec = 'size: 20GiB\nbackend: LOCAL', metadata = '') => manifest('Disk', 'data', `${spec}\nregion: fra-1`, metadata)
const session = manifest('BgpConfiguration', 'session', 'asn: 64512\nmax_prefixes: 8')
const prefix = (network: string, enabled = true) => `${session}${manifest('BgpPrefix', 'net', `prefix: ${network}\nenabled: ${enabled}\ncommunity: DEFAULT`)}`
const address = (ddos: boolean, metadata = '') => manifest('FloatingIp', 'mail', `type: IPv4\nregion: fra-1\nddos: ${ddos}`, metadata)
const vpc = (description: string, name = 'main') => manifest('Vpc', name, `description: ${description}\nrange: 10.20.0.0/24`)
const custom = (size: string) =>
  manifest(
    'Instance',
    'build',
    `type: CUSTOM\nregion: fra-1\ngroup: RYZEN\ncpu: 4\nmemory_bytes: 8GiB\nstorage: [{ size_bytes: ${size}, boot: true, backing: LOCAL }]\nbandwidth: { upload_bytes_sec: 100MB, download_bytes_sec: 100MB }`,
  )
const service = (image: string) =>
  `${web}${manifest('K3sCluster', 'main', '')}${manifest('K3sNode', 'web', 'instance: web')}${manifest('K3sService', 'shop', `image: ${image}\nmode: PINNED\ntarget_instances: [web]`)}`
const token = (spec: string) => manifest('ApiToken', 'deploy', `grants: { INSTANCE: READ }\n${spec}`)
const invite = (level: string) => manifest('WorkspaceInvite', 'ada', `email: ada@example.com\naccess_level: ${level}`)
const disks = (count: number) => Array.from({ length: count }, (_, at) => disk().replace('name: data', `name: data-${at}`)).join('')
const stays = 'lifecycle: { prevent_destroy: true }'
const digest = `@sha256:${'a'.repeat(64)}`
const production = { environment: 'production' }

const stories: Readonly<Record<string, { readonly at: string; readonly stops: readonly Story[]; readonly passes: readonly Story[] }>> = {
  'no-public-ssh': {
    at: 'FirewallRule/rule',
    stops: [
      ...['port_start: 22', 'port_start: 20\nport_end: 30', '', 'port_start: 22\nremote: 0.0.0.0/0', 'port_start: 22\nremote: 128.0.0.0/1'].map(rule),
      rule6('port_start: 22\nremote: ::/0'),
    ].map((now) => ({ now })),
    passes: [
      ...['port_start: 22\nremote: 203.0.113.0/24', 'port_start: 443', 'port_start: 23\nport_end: 80', 'port_start: 1\nport_end: 21'].map(rule),
      rule('').replace('ACCEPT', 'DROP'),
      rule('').replace('TCP', 'ICMP'),
      rule6('port_start: 22\nremote: 2001:db8::/32'),
    ].map((now) => ({ now })),
  },
  'no-public-databases': {
    at: 'FirewallRule/rule',
    stops: [
      ...['port_start: 5432', 'port_start: 3000\nport_end: 4000', '', 'port_start: 27017\nremote: 0.0.0.0/0', 'port_start: 1024\nport_end: 65535'].map(rule),
      rule6('port_start: 6379\nremote: ::/0'),
      rule('port_start: 11211').replace('TCP', 'UDP'),
    ].map((now) => ({ now })),
    passes: ['port_start: 5432\nremote: 10.20.0.0/24', 'port_start: 443', 'port_start: 32768\nport_end: 60999'].map((spec) => ({ now: rule(spec) })),
  },
  'descriptions-there': {
    at: 'Vpc/main',
    stops: [{ now: vpc('net') }, { now: vpc('"         net"') }],
    passes: [{ now: vpc('between the servers') }, { now: rule('port_start: 443') }],
  },
  'disks-stay': {
    at: 'Disk/data',
    stops: [
      { before: disk(), now: '' },
      { before: disk(), now: disk('size: 20GiB\nbackend: CEPH') },
    ],
    passes: [{ now: disk() }, { before: disk(), now: disk() }, { before: disk(), now: disk('size: 30GiB\nbackend: LOCAL') }],
  },
  'prefixes-stay': {
    at: 'BgpPrefix/net',
    stops: [
      { before: prefix('203.0.113.0/24'), now: session },
      { before: prefix('203.0.113.0/24'), now: prefix('198.51.100.0/24') },
      { before: prefix('203.0.113.0/24'), now: prefix('203.0.113.0/24', false) },
    ],
    passes: [
      { now: prefix('203.0.113.0/24') },
      { before: prefix('203.0.113.0/24', false), now: prefix('203.0.113.0/24') },
      { before: prefix('203.0.113.0/24'), now: prefix('203.0.113.0/24').replace('DEFAULT', 'PROTECTED') },
    ],
  },
  'floating-ips-stay': {
    at: 'FloatingIp/mail',
    stops: [
      { before: address(false), now: '' },
      { before: address(false), now: address(true) },
    ],
    passes: [{ now: address(false) }, { before: address(false), now: address(false).replace('ddos', 'dns: mail.example.com\n  ddos') }],
  },
  'production-protected': {
    at: 'Disk/data',
    stops: [{ now: disk(), ...production }],
    passes: [{ now: disk() }, { now: disk(), environment: 'staging' }, { now: disk(undefined, stays) + address(false, stays) + web, ...production }],
  },
  'no-loss-in-production': {
    at: 'Disk/data',
    stops: [{ before: disk(), now: '', ...production }],
    passes: [
      { before: disk(), now: '' },
      { before: disk(), now: disk('size: 30GiB\nbackend: LOCAL'), ...production },
      { before: vpc('the first of them'), now: '', ...production },
    ],
  },
  'largest-disk': {
    at: '',
    stops: [{ now: disk('size: 2TiB\nbackend: LOCAL') }, { now: custom('2TiB') }],
    passes: [{ now: disk('size: 1TiB\nbackend: LOCAL') }, { now: custom('80GiB') }, { now: web }],
  },
  'allowed-regions': {
    at: 'Instance/web',
    stops: [{ now: web.replace('fra-1', 'par-1') }],
    passes: [{ now: web }, { now: vpc('between the servers') }],
  },
  'allowed-plans': {
    at: 'Instance/web',
    stops: [{ now: web.replace('ryzen-4', 'dedicated-8').replace('fra-1', 'par-1') }],
    passes: [{ now: web }, { now: custom('80GiB') }],
  },
  'names-by-a-pattern': {
    at: 'Vpc/main',
    stops: ['Main', 'main_net', 'main net', 'main-'].map((name) => ({ now: vpc(`between the servers\nname: "${name}"`) })),
    passes: [{ now: vpc('between the servers\nname: main-1') }, { now: address(false) }],
  },
  'images-pinned': {
    at: 'K3sService/shop',
    stops: ['registry.example.com/shop:latest', 'registry.example.com/shop:stable', 'registry.example.com:5000/shop:edge'].map((image) => ({
      now: service(image),
    })),
    passes: ['registry.example.com:5000/shop:1.4.0', `registry.example.com/shop:stable${digest}`, `registry.example.com/shop:latest${digest}`].map((image) => ({
      now: service(image),
    })),
  },
  'allowed-registries': {
    at: 'K3sService/shop',
    stops: ['nginx:1.27', 'registry.example.com.evil.test/shop:1', 'ghcr.io/other/shop:1'].map((image) => ({ now: service(image) })),
    passes: ['registry.example.com/shop:1.4.0', 'ghcr.io/example/shop:1'].map((image) => ({ now: service(image) })),
  },
  'few-deletions': {
    at: '',
    stops: [{ before: disks(6), now: '' }],
    passes: [{ before: disks(6), now: disks(1) }],
  },
  'price-increase': {
    at: '',
    stops: [{ now: Array.from({ length: 5 }, (_, at) => web.replace('name: web', `name: web-${at}`)).join('') }],
    passes: [{ now: web }, { before: web, now: '' }],
  },
  'nothing-unpriced': {
    at: '',
    stops: [{ now: address(false), unpriced: true }],
    passes: [{ now: web + disk() + address(false) + session }],
  },
  'tokens-end': {
    at: 'ApiToken/deploy',
    stops: ['lifetime: 91d', 'lifetime: 365d', 'lifetime: 90d1h', 'expires: 2026-02-01T00:00:00Z'].map((spec) => ({ now: token(spec) })),
    passes: ['lifetime: 90d', 'lifetime: 7d', 'lifetime: 2160h', 'lifetime: 89d12h'].map((spec) => ({ now: token(spec) })),
  },
  'tokens-rotate': {
    at: 'ApiToken/deploy',
    stops: [{ now: token('lifetime: 30d') }],
    passes: [{ now: token('lifetime: 30d\nrotate_before: 7d') }],
  },
  'no-administrator-invites': {
    at: 'WorkspaceInvite/ada',
    stops: [{ now: invite('ADMINISTRATOR') }],
    passes: [{ now: invite('EDITOR') }],
  },
}

const { policies } = createWorld().load({
  'iac.yaml': `${head}policies: [${files.map((name) => `{ file: ${name} }`).join(', ')}]\n`,
  ...texts,
  'main.yaml': '',
}).project

/** What one policy says of the plan of a story, as `severity address: summary`. */
async function toldBy(name: string, { before, now, environment, unpriced }: Story): Promise<readonly string[]> {
  const world = createWorld()
  const { rates } = world.sandbox.world.tables
  if (unpriced) for (const { id } of rates.by('type', 'IP')) rates.delete(id)
  const loading = environment === undefined ? {} : { environment }
  if (before !== undefined) expect(await world.apply({ 'iac.yaml': head, 'main.yaml': before }, {}, {}, loading)).toMatchObject({ exitCode: 0 })
  const planned = await world.plan({ 'iac.yaml': head, 'main.yaml': now }, {}, loading)
  const set = { policies: policies.filter((one) => one.name === name), variables: {}, environment: environment ?? null, overrides: new Map() }
  return guardProblems(planned, new Map(), { noDestroy: false, maxDestroy: undefined, manifests: 1, destroy: false, policies: set })
    .filter((one) => one.code === 'guard_policy' || one.code === 'policy_warning')
    .map((one) => `${one.severity} ${one.address ?? ''}: ${one.summary}`)
}

test('there are twenty of them, each with a story here and a message', () => {
  expect(policies.map((one) => one.name).toSorted()).toEqual(Object.keys(stories).toSorted())
  expect(policies).toHaveLength(20)
  for (const { name, message } of policies) expect(message, name).not.toEqual([])
})

test('the page shows each of them once, and all of its YAML', async () => {
  const text = await policiesPage()
  expect([...text.matchAll(/^#### (.*)$/gm)].map(([, name]) => name).toSorted()).toEqual(Object.keys(stories).toSorted())
  const lines = Object.values(texts).flatMap((one) => one.split('\n').filter((line) => line.startsWith('    ')))
  expect(lines.filter((line) => !text.includes(line.slice(2)))).toEqual([])
})

test.each(Object.entries(stories))('%s', async (name, { at, stops, passes }) => {
  const wanted = [expect.stringMatching(new RegExp(`^error ${at}.*breaks the policy ${name}: .`))]
  for (const story of stops) expect(await toldBy(name, story), story.now).toEqual(wanted)
  for (const story of passes) expect(await toldBy(name, story), story.now).toEqual([])
})

test('the page and `iac explain policies` tell of everything that policies read', async () => {
  const told = [await policiesPage(), lifecycleTopics.policies.about.join('\n')]
  const untold = policyNames.filter((name) => told.some((text) => !text.includes(`\`${name}\``)))
  expect(untold, 'say what they are in policies-page.ts beside this file and in cli/documents/topics/lifecycle-topics.ts').toEqual([])
})
