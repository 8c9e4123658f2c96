// Circles by way of what kinds need without a word, and where they are told.
import { describe, expect, test } from 'vitest'
import { load, manifest } from '../../../test/builders/project.ts'

const cluster = (metadata: string) => manifest('K3sCluster', 'main', '', metadata)
const secret = (metadata = '') => manifest('K3sSecret', 'db', 'name: db\ndata: { A: b }', metadata)
const web = (metadata = '') => manifest('Instance', 'web', 'type: PLAN\nplan: p\nregion: r', metadata)
const vpc = (metadata = '') => manifest('Vpc', 'net', 'name: a-net\ndescription: d\nrange: 10.0.0.0/24', metadata)
const session = (metadata = '') => manifest('BgpConfiguration', 'session', 'asn: 64512', metadata)
const prefix = manifest('BgpPrefix', 'p', 'prefix: 203.0.113.0/24\nenabled: true\ncommunity: DEFAULT', 'depends_on: [Vpc/net]')
const key = (metadata: string) => manifest('SshKey', 'key', 'public_key: ssh-ed25519 AAAA', metadata)

/** `cycle address line: detail (hint)` of each. */
const told = (text: string) =>
  load(text).diagnostics.flatMap((one) => (one.code === 'cycle' ? [`cycle ${one.address} ${one.position?.line}: ${one.detail} (${one.hint})`] : []))
const lineOf = (text: string, words: string) => text.split('\n').findIndex((line) => line.includes(words)) + 1
const hint = 'take one of these references, depends_on or triggers out'

describe('a circle', () => {
  test.each([
    [
      'of a cluster and what stands in it',
      cluster('depends_on: [K3sSecret/db]') + secret(),
      `K3sCluster/main → K3sSecret/db (${hint}; K3sSecret/db needs K3sCluster/main without naming it)`,
    ],
    [
      'of a session and a prefix, by way of another',
      prefix + session('depends_on: [Instance/web]') + web('depends_on: [BgpPrefix/p]') + vpc(),
      `Instance/web → BgpPrefix/p (${hint}; BgpPrefix/p needs BgpConfiguration/session without naming it)`,
    ],
  ])('%s is told where one names the other', (_, text, end) => {
    const [, writer = '', named = ''] = /^(\S+) → (\S+) /.exec(end) ?? []
    const found = told(text)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^cycle ${writer} ${lineOf(text, `depends_on: [${named}]`)}: `))
    expect(found[0]?.endsWith(end)).toBe(true)
  })
  test.each([
    ['a key that depends on an instance, which does not wait for it then', web() + key('depends_on: [Instance/web]')],
    ['a trigger of a replacement, which gives way to what a kind needs', web() + key('lifecycle: { replace_triggered_by: [Instance/web] }')],
    ['a cluster of another workspace', cluster('workspace: { id: "7" }\ndepends_on: [K3sSecret/db]') + secret('workspace: { id: "8" }')],
    ['what needs it all the same', cluster('') + secret('depends_on: [K3sCluster/main]')],
  ])('is none: %s', (_, text) => {
    expect(told(text)).toEqual([])
  })
  test('is told once, as what is named makes it', () => {
    const text = cluster('depends_on: [K3sSecret/db]') + secret('depends_on: [K3sCluster/main]')
    expect(told(text)).toEqual([
      expect.stringMatching(
        /^cycle K3sSecret\/db \d+: K3sCluster\/main → K3sSecret\/db → K3sCluster\/main \(take one of these references, depends_on or triggers out\)$/,
      ),
    ])
  })
})
