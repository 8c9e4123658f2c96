// A plan's page: what stands in it, that it asks nobody for anything, and that no foreign text becomes markup.
import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { cpuTime } from '../../../../test/builders/cpu-time.ts'
import { graphvizForTests } from '../../../../test/builders/drawn-graph.ts'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Change, Plan } from '../../../engine/model/plan-data.ts'
import { kinds } from '../../../kinds/registry.ts'
import { planHtml } from './html.ts'
import type { Report } from './report.ts'

let graphviz: (dot: string) => string
beforeAll(async () => {
  graphviz = await graphvizForTests()
})

const page = (changes: readonly Change[], plan: Partial<Plan> = {}, report: Partial<Report> = {}): string =>
  planHtml(kinds, graphviz)(reportOf(planOf(changes, plan), report))
/** The page's words, without its style and script. */
const words = (html: string): string =>
  html
    .replace(/<(style|script)>[^]*?<\/\1>/g, '')
    .replace(/<svg[^]*<\/svg>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')

test('begins with the sentence and the counts, then what is lost, then what is not', () => {
  const html = page([
    changeOf({ address: 'Vpc/a', action: 'create', id: null }),
    changeOf({ address: 'Disk/b', kind: 'Disk', action: 'delete', disruption: 'data_loss' }),
    changeOf({ address: 'Vpc/same', action: 'no-op' }),
  ])
  const text = words(html)
  const order = [
    'Plan: 1 to add, 0 to change, 1 to destroy.',
    'create 1',
    'destroy 1',
    'unchanged 1',
    'Data is lost 1',
    'Disk/b',
    'Nothing is interrupted 1',
    'Vpc/a',
    'What waits for what',
  ]
  const places = order.map((one) => text.lastIndexOf(one))
  expect(places.every((at) => at > 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(text).toContain('1 unchanged resource not listed')
  expect(html).toContain('<a class="danger" href="#data_loss">Data is lost: 1</a>')
  expect(html).toContain('<svg ')
})

test('shows each field before and after, what is not known yet, and that something is hidden', () => {
  const before = { name: 'a', size: 1_073_741_824, code: { $sensitive: true }, net: { port: 1, same: true }, list: [{ a: 1 }, { a: 2 }], text: 'x\n<b>' }
  const after = { name: 'b', size: 2_147_483_648, code: { $sensitive: true }, net: { port: 2, same: true }, list: [{ a: 1 }], text: 'x\n<b>y' }
  const patch = [{ op: 'replace' as const, path: '/code', value: 'x' }]
  const given = { kind: 'Disk', address: 'Disk/d', before, after, after_unknown: ['/instance'], patch, replace_paths: ['/name'], previous_address: 'Disk/old' }
  const text = words(page([changeOf({ ...given, action: 'replace', reason: 'immutable_field' })]))
  expect(text).toContain('field before after code (sensitive value) (sensitive value) instance (known after apply) list[1].a 2')
  expect(text).toContain('name forces replacement "a" "b" net.port 1 2 size 1 GiB 2 GiB text x <b> x <b>y 2 values unchanged')
  expect(text).toContain('moved from Disk/old · id 7 · declared in infra/disk.yaml:3')
})

test('tells of price, limits, outputs, drift and findings, errors first', () => {
  const cost = {
    currency: 'USD',
    unit: 'micro',
    hourly_before: '0',
    hourly_after: '30000',
    monthly_before: '0',
    monthly_after: '21900000',
    unpriced: ['K3sCluster/m'],
  } as const
  const quota = [{ workspace: '1', name: 'max_storage_bytes', used: 0, after: 128_849_018_880, limit: 107_374_182_400, exceeded: true }]
  const diagnostics = [diagnostic('advice', 'take care'), diagnostic('conflict', 'it stays', { address: 'Vpc/main', hint: 'leave it' })]
  const text = words(
    page(
      [changeOf({})],
      { cost, quota, diagnostics, drift: [changeOf({ before: { a: 1 }, after: { a: 2 } })] },
      { outputs: { before: { url: 'u' }, after: { url: 'v' } } },
    ),
  )
  expect(text).toContain('a month 0.00 21.90 +21.90 an hour 0.0000 0.0300 +0.0300 Not in the price: K3sCluster/m')
  expect(text).toContain('max_storage_bytes in workspace 1 exceeded 0 120 GiB 100 GiB')
  expect(text).toContain('url "u" "v"')
  expect(text).toContain('Vpc/main has changed id 7')
  expect(text).toMatch(/error: it stays leave it conflict · Vpc\/main What changes [^]* warning: take care advice/)
})

test('says that it was planned against the embedded service', () => {
  expect(words(page([changeOf({})], { sandbox: true }))).toContain('Planned against the embedded service')
  expect(words(page([changeOf({})]))).not.toContain('embedded service')
})

test('allows its own style and script by their hashes, and nothing else', () => {
  const html = page([changeOf({})])
  const [policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.slice(1) ?? []
  for (const tag of ['style', 'script']) {
    const all = [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))]
    expect(all).toHaveLength(1)
    const hash = createHash('sha256')
      .update(all[0]?.[1] ?? '')
      .digest('base64')
    expect(policy).toContain(`${tag}-src 'sha256-${hash}'`)
  }
  expect(policy).toMatch(/^default-src 'none'; [^*]*; img-src data:; base-uri 'none'; form-action 'none'$/)
  expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/|\bsrc=|@import|url\((?!#)|\sstyle=|\son\w+=/)
  expect([...html.matchAll(/\bhref="([^"]*)"/g)].map((one) => one[1]).every((href) => href === 'data:,' || href?.startsWith('#'))).toBe(true)
})

test.each([
  '<script>alert(1)</script>',
  '</style><img src=x onerror=alert(1)>',
  '"><a href="javascript:alert(1)">x</a>',
  "' onload='x",
  '<!--',
  ']]>',
  '&lt;b&gt;',
  '</svg>\u202e\u001b[2J',
])('takes %j for text, wherever it stands', (evil) => {
  const tags = (html: string): readonly string[] => html.replace(/<(style|script)>[^]*?<\/\1>/g, '').match(/<[^>]*>/g) ?? []
  const made = (text: string): string => {
    const change = changeOf({
      address: `Vpc/x["${text}"]`,
      id: text,
      before: { [text]: text },
      after: { [text]: `${text}2`, zz: text },
      previous_address: text,
      requires: [text],
      action: 'update',
    })
    const diagnostics = [diagnostic('conflict', text, { detail: text, hint: text, address: text, position: { file: text, line: 1, column: 1 } })]
    const quota = [{ workspace: text, name: text, used: 1, after: 2, limit: 3, exceeded: false }]
    const cost = { currency: 'USD', unit: 'micro', hourly_before: '0', hourly_after: '0', monthly_before: '0', monthly_after: '0', unpriced: [text] } as const
    const around = {
      project: text,
      environment: text,
      toolVersion: text,
      outputs: { before: {}, after: { [text]: text } },
      declaredAt: () => ({ file: text, line: 1, column: 1 }),
    }
    return page([change], { diagnostics, quota, cost, review: text, drift: [change] }, around)
  }
  const plain = (one: string): string => one.replaceAll(/"[^"]*"/g, '""')
  expect(tags(made(evil)).map(plain)).toEqual(tags(made('word')).map(plain))
  expect(made(evil)).not.toMatch(/[\u202e\u001b]/)
})

test('a plan of nothing is a page, too', () => {
  const text = words(page([]))
  expect(text).toContain('No changes. Your infrastructure matches the manifests.')
  expect(text).not.toContain('What changes')
})

test('few changes are open, many closed, and a thousand are made in two seconds', () => {
  const many = Array.from({ length: 1000 }, (_, at) => changeOf({ address: `Vpc/n${at}`, before: { a: 1 }, after: { a: 2 } }))
  expect(page(many.slice(0, 3)).match(/<details [^>]* open>/g)).toHaveLength(3)
  const { result: html, spentMs } = cpuTime(() => page(many))
  expect(spentMs).toBeLessThan(2000)
  expect(html.match(/<details /g)).toHaveLength(1000)
  expect(html).not.toMatch(/<details [^>]* open>/)
})
