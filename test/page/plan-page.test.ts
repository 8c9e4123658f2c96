// A plan's page in a real browser: no error and no request, found by words, used by keys alone, readable on a phone, in the dark and without script.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { planHtml } from '../../src/cli/render/formats/html.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { graphvizForTests } from '../builders/drawn-graph.ts'
import { changeOf, planOf, reportOf } from '../builders/plan-data.ts'
import type { Browser, Tab } from './chromium.ts'
import { chromiumPath, startChromium } from './chromium.ts'
import { problemsOfPage } from './page-checks.ts'

if (chromiumPath === undefined) console.warn("\n*** SKIPPED: the tests of a plan's page, for there is no Chromium (apt-get install chromium) ***\n")

const SPITEFUL = '<img src=x onerror="window.harmed=1">'

/** Of every look and danger, with text that would be markup, a long word, and values of several lines. */
const looks = [
  changeOf({ address: 'Vpc/new', action: 'create', id: null, after: { name: SPITEFUL, range: '10.0.0.0/24' }, after_unknown: ['/id'] }),
  changeOf({ address: 'Instance/web', kind: 'Instance', before: { text: 'a\nb' }, after: { text: 'a\nc' }, disruption: 'restart', requires: ['Vpc/new'] }),
  changeOf({ address: 'Disk/data', kind: 'Disk', action: 'delete', before: { size: 1, instance: '7' }, disruption: 'data_loss', depends_on: ['Instance/web'] }),
  changeOf({
    address: 'Vpc/other',
    action: 'replace',
    before: { range: 'x'.repeat(300) },
    after: { range: 'y' },
    replace_paths: ['/range'],
    disruption: 'interruption',
  }),
  changeOf({ address: 'Vpc/left', action: 'forget' }),
  changeOf({ address: 'Vpc/taken', action: 'import', before: { a: 1 }, after: { a: 1 } }),
]
const quota = [{ workspace: '1', name: 'max_vpcs', used: 9, after: 11, limit: 10, exceeded: true }]
const cost = {
  currency: 'USD',
  unit: 'micro',
  hourly_before: '0',
  hourly_after: '30000',
  monthly_before: '0',
  monthly_after: '21900000',
  unpriced: [],
} as const
const whole = reportOf(planOf(looks, { quota, cost, review: 'ab'.repeat(32) }))
const many = Array.from({ length: 1000 }, (_, at) =>
  changeOf({ address: `Vpc/n${at}`, before: { range: `10.0.${at}.0/24` }, after: { range: `10.1.${at}.0/24` } }),
)

describe.skipIf(chromiumPath === undefined)("a plan's page", () => {
  const folder = mkdtempSync(join(tmpdir(), 'iac-plan-page-'))
  let browser: Browser
  let tab: Tab

  beforeAll(async () => {
    browser = await startChromium(chromiumPath ?? '')
    const render = planHtml(kinds, await graphvizForTests())
    writeFileSync(join(folder, 'whole.html'), render(whole))
    writeFileSync(join(folder, 'many.html'), render(reportOf(planOf(many))))
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    tab = await browser.open()
    await tab.resize(1280, 800)
  })
  afterEach(async () => {
    await tab.close()
  })

  const open = async (name: string): Promise<void> => await tab.goto(`file://${join(folder, name)}`)
  const shown = async (): Promise<unknown> =>
    await tab.evaluate("[...document.querySelectorAll('.change:not([hidden]) .address')].map((one) => one.textContent)")
  const type = async (text: string): Promise<unknown> => await tab.send('Input.insertText', { text })

  test('loads without an error, asks nobody for anything, and takes no foreign text for markup', async () => {
    await open('whole.html')
    expect(tab.problems).toEqual([])
    expect(tab.requested).toEqual([`file://${join(folder, 'whole.html')}`])
    expect(await tab.evaluate('window.harmed ?? document.images.length')).toBe(0)
    expect(await tab.evaluate('document.title')).toBe('p: Plan: 1 to import, 2 to add, 1 to change, 2 to destroy, 1 to forget.')
  })

  test.each([
    [1440, 'light'],
    [820, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ])('at %i pixels, %s, has names, contrast and nothing that is cut off', async (width, scheme) => {
    await tab.media({ 'prefers-color-scheme': scheme })
    await tab.resize(width, 900, width < 500)
    await open('whole.html')
    expect(await tab.evaluate(`${problemsOfPage}()`)).toEqual([])
  })

  test('finds changes by all words that stand in them, closed ones too, and says how many', async () => {
    await open('many.html')
    await tab.press('/')
    await type('10.1.77. n77')
    await tab.until("document.getElementById('found').innerText === '1 of 1000 found'")
    expect(await shown()).toEqual(['Vpc/n77'])
    await tab.press('Escape')
    await tab.until("document.getElementById('found').innerText === ''")
    expect(await shown()).toHaveLength(1000)
    await type('nothing of this')
    await tab.until("document.getElementById('found').innerText === '0 of 1000 found'")
    expect(await tab.evaluate("document.querySelector('.group').hidden")).toBe(true)
  })

  test('opens and closes a change by keys', async () => {
    await open('many.html')
    const isOpen = "document.querySelector('.change').open"
    expect(await tab.evaluate(isOpen)).toBe(false)
    for (let count = 0; count < 20 && (await tab.evaluate("document.activeElement.matches('summary')")) !== true; count += 1) await tab.press('Tab')
    await tab.press('Enter')
    await tab.until(isOpen)
    expect(await tab.evaluate("document.querySelector('.change').innerText")).toContain('"10.0.0.0/24"')
    await tab.press('Enter')
    await tab.until(`!${isOpen}`)
  })

  test('without script everything is there to read, and nothing that would not answer', async () => {
    await tab.send('Emulation.setScriptExecutionDisabled', { value: true })
    await tab.send('Page.navigate', { url: `file://${join(folder, 'whole.html')}` })
    await tab.until("document.readyState === 'complete' && document.querySelector('main')")
    expect(await tab.evaluate("document.querySelector('form').checkVisibility()")).toBe(false)
    expect(await shown()).toHaveLength(6)
    expect(await tab.evaluate('document.body.innerText')).toContain('loses its data')
  })
})
