// The sandbox's page in a real browser: that it shows what happens by itself, can be used by keys alone, and trusts no name.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestSandbox } from '../../src/sandbox/test-sandbox.ts'
import { createTestSandbox } from '../../src/sandbox/test-sandbox.ts'
import { pageAddress } from '../../src/sandbox/page/page.ts'
import type { Browser, Tab } from './chromium.ts'
import { chromiumPath, startChromium } from './chromium.ts'
import { problemsOfPage } from './page-checks.ts'

if (chromiumPath === undefined) console.warn('\n*** SKIPPED: the tests of the page, for there is no Chromium (apt-get install chromium) ***\n')

const SPITEFUL = '<img src=x onerror="window.harmed=1">'

describe.skipIf(chromiumPath === undefined)('the page', () => {
  let browser: Browser
  let sandbox: TestSandbox
  let tab: Tab

  beforeAll(async () => {
    browser = await startChromium(chromiumPath ?? '')
  })
  afterAll(async () => {
    await browser?.close()
  })
  beforeEach(async () => {
    sandbox = createTestSandbox({ clock: 'frozen' })
    const url = await sandbox.listen()
    tab = await browser.open()
    await tab.resize(1280, 800)
    await tab.goto(pageAddress(url, sandbox.controlToken))
    await tab.until("document.querySelector('#link').innerText === 'live'")
    return async () => {
      await tab.close()
      await sandbox.close()
    }
  })

  async function post(path: string, body: string): Promise<number> {
    const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
    return (await fetch(sandbox.url + path, { method: 'POST', headers, body })).status
  }
  async function createInstance(name: string): Promise<void> {
    const [plan] = sandbox.snapshot().tables['plans'] ?? []
    const id = typeof plan === 'object' && plan !== null && 'id' in plan ? String(plan.id) : ''
    expect(
      await post(`/v1/workspaces/${sandbox.workspaceId}/instances`, `{"type":"PLAN","name":${JSON.stringify(name)},"region":"fra-1","plan":${id}}`),
    ).toBeLessThan(300)
  }
  async function tabTo(selector: string): Promise<void> {
    for (let count = 0; count < 80; count += 1) {
      await tab.press('Tab')
      if ((await tab.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) === true) return
    }
    throw new Error(`the Tab key does not lead to ${selector}`)
  }

  test('says what to do where nothing is, asks nobody else, and keeps the token out of its address', async () => {
    expect(await tab.evaluate("document.querySelector('#map-empty').innerText")).toContain(`IAC_BASE_URL=${sandbox.url}`)
    expect(await tab.evaluate('location.href')).toBe(`${sandbox.url}/`)
    expect(tab.requested.filter((url) => !url.startsWith(`${sandbox.url}/`) && !url.startsWith('data:'))).toEqual([])
    expect(tab.problems).toEqual([])
  })

  test('shows by itself what is created, and its workflow on the way', async () => {
    await createInstance('web-1')
    await tab.until("document.querySelector('.card')?.ariaLabel.startsWith('web-1, pending')", 1000)
    const bar = "Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow'))"
    const before = Number(await tab.evaluate(bar))
    await sandbox.clock.advance(50)
    await post('/v1/nothing', '{}')
    await tab.until(`${bar} > ${before}`)
    await sandbox.clock.advance(60_000)
    await tab.until("document.querySelector('.card').ariaLabel.startsWith('web-1, online') && !document.querySelector('[role=progressbar]')")
    expect(tab.problems).toEqual([])
  })

  test('shows names as text', async () => {
    await createInstance(SPITEFUL)
    await tab.until(`document.querySelector('.card')?.ariaLabel.startsWith(${JSON.stringify(SPITEFUL)})`)
    await tab.evaluate("document.querySelector('.card').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    await tab.until(`document.querySelector('#details h3')?.innerText === ${JSON.stringify(SPITEFUL)}`)
    await tab.evaluate("document.querySelector('.request button').click()")
    await tab.until("document.querySelector('.bodies pre')?.innerText.includes('onerror')")
    expect(await tab.evaluate('[window.harmed, document.images.length]')).toEqual([null, 0])
    expect(tab.problems).toEqual([])
  })

  test('switches a fault on and advances the clock by keys alone', async () => {
    await tabTo('#preset-outage')
    await tab.press(' ')
    await tab.until("document.querySelector('#said').innerText === 'outage is on.'")
    expect(sandbox.faults.list().map((one) => one.preset)).toEqual(['outage'])
    expect(await post('/v1/workspaces', '{}')).toBe(503)
    await tab.until("document.querySelector('#preset-outage').closest('li').innerText.includes('1 hit')")
    await tab.press(' ')
    await tab.until("!document.querySelector('#preset-outage').checked && document.querySelector('#said').innerText === 'outage is off.'")
    const before = sandbox.clock.wall()
    await tab.press('4')
    await tabTo('[aria-label="Advance by one hour"]')
    await tab.press('Enter')
    await tab.until(`document.querySelector('#clock-time').dateTime === '${new Date(before + 3_600_000).toISOString().slice(0, 19)}Z'`)
    expect(sandbox.clock.wall()).toBe(before + 3_600_000)
    expect(tab.problems).toEqual([])
  })

  test('filters requests, and tells a request with its answer', async () => {
    await createInstance('web-1')
    expect(await post('/v1/nothing', '{}')).toBe(404)
    await tab.until("document.querySelectorAll('.request').length === 2")
    await tab.press('e')
    await tab.until("document.querySelectorAll('.request').length === 1 && document.querySelector('.request .path').innerText === '/v1/nothing'")
    await tab.press('e')
    await tab.press('/')
    for (const letter of 'post') await tab.press(letter)
    await tab.until("document.querySelectorAll('.request').length === 2 && document.querySelector('#filter').value === 'post'")
    await tabTo('.request button')
    await tab.press('ArrowDown')
    await tab.press('Enter')
    await tab.until("document.querySelector('.bodies pre')?.innerText.includes('web-1')")
    expect(tab.problems).toEqual([])
  })

  test('leads over the map with arrows, and back', async () => {
    await createInstance('web-1')
    await createInstance('web-2')
    await tab.until("document.querySelectorAll('.card').length === 2")
    await tabTo('.card')
    await tab.press('ArrowRight')
    await tab.press('Enter')
    await tab.until("document.querySelector('#details-title')?.innerText === 'web-2'")
    await tab.press('Escape')
    await tab.until("document.querySelector('#details').hidden && document.activeElement.ariaLabel.startsWith('web-2')")
    await tab.press('?')
    expect(await tab.evaluate("document.querySelector('#shortcuts').open")).toBe(true)
    await tab.press('Escape')
    expect(await tab.evaluate("document.querySelector('#shortcuts').open")).toBe(false)
  })

  test.each(['light', 'dark'])('can be read, named and reached in %s, at every width', async (scheme) => {
    await tab.media({ 'prefers-color-scheme': scheme })
    await createInstance('a-name-that-is-so-long-that-no-card-has-room-for-it')
    await post(`/v1/workspaces/${sandbox.workspaceId}/invites`, '{"email":"ada@example.test","access_level":"EDITOR"}')
    await post('/v1/nothing', '{}')
    sandbox.faults.preset('throttle')
    await tab.until("document.querySelector('.card') && document.querySelector('#mail-rows code')")
    await tab.evaluate("document.querySelector('.card').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    await tab.evaluate("document.querySelector('.request button').click()")
    for (const width of [1280, 620, 390, 320]) {
      await tab.resize(width, 800)
      await tab.until("document.querySelector('#map-drawing').viewBox.baseVal.width === document.querySelector('#map-frame').clientWidth")
      expect(await tab.evaluate(`${problemsOfPage}()`), `at ${width} px`).toEqual([])
    }
    expect(tab.problems).toEqual([])
  })

  test('stays quick with thousands of resources, looking once for a burst of changes', async () => {
    const [row] = (await createInstance('web'), sandbox.snapshot().tables['instances'] ?? [])
    const snapshot = sandbox.snapshot()
    const many = Array.from({ length: 2000 }, (_, index) => ({
      ...(typeof row === 'object' ? row : {}),
      id: String(2n ** 61n + BigInt(index)),
      name: `web-${index}`,
    }))
    sandbox.load({ ...snapshot, tables: { ...snapshot.tables, instances: many } })
    await tab.until("document.querySelectorAll('.card').length === 2000", 20_000)
    await tab.evaluate(
      'window.longest = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration) }).observe({ entryTypes: ["longtask"] })',
    )
    const looks = (): number => tab.requested.filter((url) => url.includes('/view?')).length
    const before = looks()
    await Promise.all(Array.from({ length: 40 }, () => post('/v1/nothing', '{}')))
    await tab.until("document.querySelectorAll('.request').length >= 41")
    expect(looks() - before).toBeLessThan(15)
    expect(tab.requested.slice(-1)[0]).toContain('since=')
    expect(Number(await tab.evaluate('window.longest'))).toBeLessThan(1000)
  })
})
