// A comment as forges read it: CommonMark with GitHub's extensions, raw HTML let through.
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { driftDocument } from '../drift-json.ts'
import { markdown } from './markdown.ts'
import type { Report } from './report.ts'

function read(plan: Plan, rest: Partial<Report> = {}) {
  const text = markdown(reportOf(plan, rest))
  expect(text.length).toBeLessThanOrEqual(65_000)
  const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
  const tags = [...new Set(Array.from(html.matchAll(/<\/?([a-z!][\w-]*)/gi), ([, tag]) => tag))].toSorted()
  const headings = Array.from(html.matchAll(/<h3>(.*?)<\/h3>/g), ([, heading]) => heading)
  const count = (tag: string): number => html.split(tag).length - 1
  expect(count('<details>')).toBe(count('</details>'))
  return { text, html, tags, headings, outside: html.replace(/<(code|pre)\b[^]*?<\/\1>/g, '') }
}

const ours = ['code', 'details', 'h2', 'h3', 'li', 'p', 'pre', 'strong', 'summary', 'ul']

test('the most dangerous stands first, each under its heading', () => {
  const disruptions = ['none', 'restart', 'data_loss', 'interruption', 'address_loss'] as const
  const changes = disruptions.map((disruption, at) => changeOf({ address: `Vpc/v${at}`, disruption }))
  const { headings, html } = read(planOf([...changes, changeOf({ address: 'Vpc/z', action: 'delete' })]))
  expect(headings).toEqual(['Loses data', 'Loses an address', 'Interrupts', 'Restarts', 'Interrupts nothing'])
  expect(html.indexOf('Vpc/z')).toBeLessThan(html.indexOf('Vpc/v0'))
  expect(html).toContain('<strong>Plan: 0 to add, 5 to change, 1 to destroy.</strong>')
})

test('a change is a difference that unfolds', () => {
  const patch = [{ op: 'replace', path: '/name', value: 'b' }] as const
  const { text } = read(planOf([changeOf({ before: { name: 'a' }, after: { name: 'b' }, patch: [...patch] })]))
  expect(text).toContain(
    '<details>\n<summary><code>&#126;</code> <code>Vpc/main will be updated in-place</code></summary>\n\n```diff\n!   resource "Vpc" "main" {\n        id   = "7"\n!       name = "a" -> "b"\n    }\n```\n\n</details>\n',
  )
})

test('what has no room is counted, the least dangerous of all', () => {
  const after = { description: 'x'.repeat(5000) }
  const many = Array.from({ length: 3000 }, (_, at) => changeOf({ address: `Vpc/v${at}`, action: 'create', after }))
  const drift = Array.from({ length: 10 }, (_, at) => changeOf({ address: `Vpc/d${at}` }))
  const { text } = read(planOf([...many, changeOf({ address: 'Disk/a', disruption: 'data_loss' })], { drift }))
  expect(text.length).toBeGreaterThan(60_000)
  expect(text.indexOf('Disk/a')).toBeLessThan(text.indexOf('Vpc/v'))
  const told = Array.from(text.matchAll(/Vpc\/v\d+ will be created/g)).length
  expect(text).toContain(`**And ${3000 - told} more changes, 10 more drifted resources**`)
})

test('no line of foreign text begins with a command of a forge, or of a bot that reads its comments, in a fence either', () => {
  const detail = 'The service answered:\n/merge\n```\n</details>\n/approve'
  const { text } = read(planOf([], { diagnostics: [diagnostic('advice', 'it answers strangely', { detail })] }))
  expect(text).toMatch(/^ \/merge$[^]*^ \/approve$/m)
  expect(text).not.toMatch(/^\//m)
})

test('warnings, however many, come behind what changes, and errors before it', () => {
  const many = Array.from({ length: 3000 }, (_, at) => diagnostic('advice', `take care of ${at}: ${'x'.repeat(100)}`))
  const diagnostics = [...many, diagnostic('conflict', 'it stays')]
  const { text } = read(planOf([changeOf({ address: 'Disk/a', action: 'delete', disruption: 'data_loss' })], { diagnostics }))
  const places = ['it stays', 'Disk/a', 'take care of 0'].map((one) => text.indexOf(one))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  expect(text).toContain('Disk/a will be destroyed')
  expect(text).toMatch(/\*\*And \d+ more warnings\*\*/)
})

test('the review of what changes stands in it, and that a plan is one of the embedded service', () => {
  const review = 'ab'.repeat(32)
  expect(read(planOf([changeOf({})], { review }), { differs: true }).html).toContain(`Review: <code>${review}</code>`)
  expect(read(planOf([], { review }), { differs: false }).html).not.toContain(review)
  expect(read(planOf([changeOf({})], { sandbox: true })).html).toContain('Planned against the embedded service')
  expect(read(planOf([changeOf({})])).html).not.toContain('embedded service')
})

test('a block that is too long is cut by lines', () => {
  const after = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, 'x'.repeat(20)]))
  expect(read(planOf([changeOf({ action: 'create', after })])).text).toMatch(/… \d+ more lines\n```/)
})

test('a line that is too long loses its middle, and hides nothing that stands below it', () => {
  const after = { cloud_init: `begins${'😀'.repeat(20_000)}ends`, public: true }
  const { text } = read(planOf([changeOf({ action: 'create', after })]))
  expect(text).toMatch(/cloud_init = "begins.* … \d+ more characters … .*ends"$/m)
  expect(text).toMatch(/^\+ +public +?= true$/m)
  expect([text.includes('\ufffd'), text.includes('more line')]).toEqual([false, false])
})

test('a long line of a block that has room is shown whole: what changes may stand in its middle', () => {
  const init = (word: string): { readonly cloud_init: string } => ({ cloud_init: `${'a'.repeat(1500)} ${word} ${'b'.repeat(1500)}` })
  const { text } = read(planOf([changeOf({ action: 'update', before: init('formerly'), after: init('hereafter') })]))
  expect([text.includes(' formerly '), text.includes(' hereafter '), text.includes('more character')]).toEqual([true, true, false])
})

test.each<[string, Partial<Report>, Plan, string]>([
  ['drift', { subject: 'drift', drift: driftDocument([], { unmanaged: [], managed: 1 }) }, planOf([], { drift: [] }), 'No drift.'],
  ['validate', { subject: 'validate', plan: null }, planOf([], { diagnostics: [diagnostic('usage', 'bad')] }), '1 error in the manifests.'],
  ['validate', { subject: 'validate', plan: null }, planOf([]), 'The manifests are valid, with 0 warnings.'],
  ['plan', { plan: null }, planOf([], { diagnostics: [diagnostic('usage', 'bad')] }), 'Nothing was planned: 1 error.'],
])('%s has a sentence: %#', (_, rest, plan, sentence) => {
  expect(read(plan, rest).html).toContain(sentence)
})

test.each([
  '```\n</details>',
  '~~~\n````````',
  '</summary></details><script>alert(1)</script>',
  '<img src=x onerror=y>',
  '@everyone @org/team',
  '<!-- iac:plan {"v":1} -->',
  '[click](https://evil.test) ![x](y) https://evil.test www.evil.test',
  '# heading\n\n- item\n\n---\n',
  '`code` *bold* | cell |\n| - | - |',
  '&lt;script&gt; &#64;everyone',
  '::error::x\n##vso[y]',
])('%j stays text', (text) => {
  const change = (action: 'create' | 'delete') =>
    changeOf({ address: `Vpc/b["${text}"]`, action, before: { name: text, [text]: text }, after: { list: [text] } })
  const found = { unmanaged: [{ kind: 'Vpc', id: '9', name: text }], managed: 1 }
  const diagnostics = [diagnostic('usage', text, { detail: text, position: { file: text, line: 1, column: 1 } })]
  const outputs = { before: { a: text }, after: { [text]: text } }
  const drift = [{ ...change('delete'), address: `Vpc/d["${text}"]` }]
  const plan = planOf([change('create'), change('delete')], { drift, diagnostics })
  const { text: comment, tags, outside, headings } = read(plan, { outputs, project: text, environment: text, drift: driftDocument(drift, found) })
  expect(tags.filter((tag) => tag !== undefined && !ours.includes(tag))).toEqual([])
  expect(headings).toEqual(['Errors', 'Interrupts nothing', 'Changed outside of iac', 'Outputs', 'Warnings and notes'])
  expect(outside).not.toMatch(/@|evil|bold|cell|<!--/)
  expect(comment).not.toContain('<!--')
  // What a plan to destroy leaves as it is stands in its title.
  const kept = read(planOf([changeOf({ address: `Vpc/b["${text}"]`, action: 'no-op', id: '9' })], { mode: 'destroy' }))
  expect(kept.tags.filter((tag) => tag !== undefined && !ours.includes(tag))).toEqual([])
  expect(kept.outside).not.toMatch(/@|evil|bold|cell|<!--/)
})
