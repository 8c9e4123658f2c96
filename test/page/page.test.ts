// The sandbox's page in a real browser: that it shows what happens by itself, can be used by keys alone, and trusts no name.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { pageAddress } from '../../src/sandbox/page/page.ts'
import type { TestSandbox } from '../../src/sandbox/test-sandbox.ts'
import type { Tab } from './chromium.ts'
import { chromiumPath } from './chromium.ts'
import { problemsOfPage } from './page-checks.ts'
import { tabEach } from './tab-each.ts'

if (chromiumPath === undefined) console.warn('\n*** SKIPPED: the tests of the page, for there is no Chromium (apt-get install chromium) ***\n')

const INSTANCES = '[data-key^="instances/"]'
const SPITEFUL = '<img src=x onerror="window.harmed=1">'

const tenant = z.object({ id: z.string(), token: z.string(), workspace: z.string() })

describe.skipIf(chromiumPath === undefined)('the page', () => {
  let sandbox: TestSandbox
  let tab: Tab

  tabEach(
    async (open) => {
      ;({ sandbox, tab } = open)
      await tab.goto(pageAddress(sandbox.url, sandbox.controlToken))
      await tab.until("document.querySelector('#link').innerText === 'live'")
    },
    () => sandbox,
  )

  async function send(path: string, body: string, method: 'POST' | 'PATCH' = 'POST'): Promise<Response> {
    const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
    return await fetch(sandbox.url + path, { method, headers, body })
  }
  async function post(path: string, body: string): Promise<number> {
    return (await send(path, body)).status
  }
  async function createInstance(name: string): Promise<void> {
    const [plan] = sandbox.snapshot().tables['plans'] ?? []
    const id = typeof plan === 'object' && plan !== null && 'id' in plan ? String(plan.id) : ''
    expect(
      await post(`/v1/workspaces/${sandbox.workspaceId}/instances`, `{"type":"PLAN","name":${JSON.stringify(name)},"region":"fra-1","plan":${id}}`),
    ).toBeLessThan(300)
  }
  async function reload(): Promise<void> {
    await tab.evaluate('window.isOld = true')
    await tab.evaluate('location.reload()')
    await tab.until("!window.isOld && document.readyState === 'complete' && document.querySelector('#link').innerText === 'live'")
  }
  async function tabTo(selector: string): Promise<void> {
    for (let count = 0; count < 80; count += 1) {
      await tab.press('Tab')
      if ((await tab.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) === true) return
    }
    throw new Error(`the Tab key does not lead to ${selector}`)
  }

  test('opens on the workspace where something happens, stays there, and lists what the wallet counts', async () => {
    const made = await send('/v1/workspaces', '{"name":"quiet"}')
    const busy = String(z.object({ id: z.union([z.string(), z.number()]) }).parse(await made.json()).id)
    expect(await post(`/v1/workspaces/${busy}/ips`, '{"type":"IPv4","ddos":false,"region":"fra-1"}')).toBeLessThan(300)
    await reload()
    await tab.until(`document.querySelector('#workspace').value === '${busy}'`)
    await sandbox.clock.advance(600_000)
    await tab.until("document.querySelectorAll('#wallet-things li').length === 4")
    expect(await tab.evaluate("document.querySelector('#wallet-counted').innerText")).toBe('It counts 3 dediboxes, 1 address.')
    await createInstance('elsewhere')
    await sandbox.clock.advance(600_000)
    await tab.until("document.querySelectorAll('#wallet-things li').length === 5")
    expect(await tab.evaluate("document.querySelector('#wallet-things').innerText")).toContain('instance in default')
    expect(await tab.evaluate("document.querySelector('#workspace').value")).toBe(busy)
  })

  test('says what to do where nothing is, asks nobody else, and keeps the token out of its address', async () => {
    expect(await tab.evaluate("document.querySelector('#map-empty').innerText")).toContain(`IAC_BASE_URL=${sandbox.url}`)
    expect(await tab.evaluate('location.href')).toBe(`${sandbox.url}/`)
    expect(tab.requested.filter((url) => !url.startsWith(`${sandbox.url}/`) && !url.startsWith('data:'))).toEqual([])
    expect(tab.problems).toEqual([])
  })

  test('shows by itself what is created, and its workflow on the way', async () => {
    await createInstance('web-1')
    await tab.until("document.querySelector('.card')?.ariaLabel.startsWith('web-1, pending')")
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
    await tab.until(`document.querySelectorAll('${INSTANCES}').length === 2`)
    await tabTo('#help')
    await tab.press('Tab')
    expect(await tab.evaluate('document.activeElement.ariaLabel')).toContain('web-1')
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

  test('goes from one tenant to another and back, and the address says which', async () => {
    const control = { 'x-sandbox-token': sandbox.controlToken, 'content-type': 'application/json' }
    const tell = async (method: string, path: string, body?: object): Promise<Response> =>
      await fetch(sandbox.url + path, { method, headers: control, ...(body ? { body: JSON.stringify(body) } : {}) })
    const chosen = "document.querySelector('#tenant').value"
    const isHidden = "document.querySelector('#tenant').parentElement.hidden"
    expect(await tab.evaluate(isHidden)).toBe(true)
    const made = tenant.parse(await (await tell('POST', '/_sandbox/tenants', {})).json())
    await tab.until(`!${isHidden} && document.querySelector('#tenant').options.length === 2`)
    await tell('POST', `/_tenants/${made.id}/_sandbox/clock/advance`, { ms: 3_600_000 })
    const vpc = { method: 'POST', headers: { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' } }
    const path = `/v1/workspaces/${made.workspace}/vpcs`
    await fetch(sandbox.url + path, { ...vpc, body: '{"name":"theirs","description":"","range":"10.0.0.0/24"}' })
    await createInstance('ours')
    await tab.until(`document.querySelector('${INSTANCES}')`)
    expect(await tab.evaluate("document.querySelector('#map-drawing').textContent.includes('theirs')")).toBe(false)

    await tab.evaluate(`document.querySelector('#tenant').focus()`)
    for (const letter of made.id) await tab.press(letter)
    const isTheirs = `document.querySelector('[aria-label^="theirs, VPC"]') && !document.querySelector('${INSTANCES}')`
    await tab.until(`location.search === '?tenant=${made.id}' && ${isTheirs}`)
    await tab.until(`document.querySelector('.request .path').innerText === '${path}' && document.querySelectorAll('.request').length === 1`)
    expect(await tab.evaluate("document.querySelector('#clock-time').dateTime")).toBe('2026-01-01T01:00:00Z')
    expect(await tab.evaluate("document.querySelector('#map-hint').textContent")).toContain(`IAC_BASE_URL=${sandbox.url}/_tenants/${made.id} `)
    await fetch(sandbox.url + path, { ...vpc, body: '{"name":"later","description":"","range":"10.0.1.0/24"}' })
    await tab.until(`document.querySelector('[aria-label^="later, VPC"]')`)
    await tab.evaluate('document.querySelector(\'[aria-label="Advance by one hour"]\').click()')
    await tab.until("document.querySelector('#clock-time').dateTime === '2026-01-01T02:00:00Z'")
    expect(new Date(sandbox.clock.wall()).toISOString()).toBe('2026-01-01T00:00:00.000Z')

    await tab.evaluate('history.back()')
    await tab.until(`${chosen} === '' && document.querySelector('${INSTANCES}')`)
    await tab.evaluate('history.forward()')
    await tab.until(isTheirs)
    await reload()
    await tab.until(`${isTheirs} && ${chosen} === '${made.id}'`)
    // Nobody does anything there: that its stream ends is enough.
    await tell('DELETE', `/_sandbox/tenants/${made.id}`)
    await tab.until(`location.search === '' && document.querySelector('${INSTANCES}') && document.querySelector('#said').innerText.includes('is gone')`)
    expect(tab.problems.filter((one) => !one.includes('404'))).toEqual([])
  })

  test('goes from one workspace to another, and the address says which', async () => {
    await createInstance('in-first')
    await tab.until(`document.querySelector('${INSTANCES}')`)
    const made = z.object({ id: z.union([z.string(), z.number()]) }).parse(await (await send('/v1/workspaces', '{"name":"second"}')).json())
    expect(await post(`/v1/workspaces/${made.id}/vpcs`, '{"name":"inner","description":"","range":"10.0.0.0/24"}')).toBeLessThan(300)
    await tab.until(`document.querySelector('${INSTANCES}') && document.querySelector('#workspace').options.length === 2`)
    await tab.press('w')
    await tab.press('s')
    await tab.until(
      `location.search === '?workspace=${made.id}' && document.querySelector('[aria-label^="inner, VPC"]') && !document.querySelector('${INSTANCES}')`,
    )
    await reload()
    await tab.until("document.querySelector('#workspace').selectedOptions[0]?.innerText === 'second'")
    await tab.until(`document.querySelector('[aria-label^="inner, VPC"]')`)
    expect(tab.problems).toEqual([])
  })

  test('draws BGP, secrets without values, and who may come in, each told of by Enter', async () => {
    const workspace = `/v1/workspaces/${sandbox.workspaceId}`
    expect(await send(`${workspace}/bgp`, '{"asn":64512,"password":"hush-bgp"}', 'PATCH').then((one) => one.status)).toBeLessThan(300)
    expect(await post(`${workspace}/bgp/prefixes`, '{"prefix":"198.51.100.0/24","source":"MANUAL","enabled":true,"community":"DEFAULT"}')).toBeLessThan(300)
    expect(await post(`${workspace}/k3s`, '')).toBeLessThan(300)
    await sandbox.clock.advance(600_000)
    expect(await post(`${workspace}/k3s/secrets`, '{"name":"db","data":{"DB_URL":"hush-url"}}')).toBeLessThan(300)
    expect(await post(`${workspace}/invites`, '{"email":"ada@example.test","access_level":"EDITOR"}')).toBe(201)
    await tab.until(
      `['BGP, AS 64512', '198.51.100.0/24, enabled', 'db, secret, DB_URL', 'ada@example.test, invited'].every((one) => document.querySelector('[aria-label^="' + one + '"]'))`,
    )
    await tabTo('[aria-label^="BGP"]')
    await tab.press('Enter')
    await tab.until("document.querySelector('#details .facts')?.innerText.includes('64512')")
    await tab.press('Escape')
    await tab.evaluate(`document.querySelector('[aria-label^="db, secret"]').focus()`)
    await tab.press('Enter')
    await tab.until("document.querySelector('#details .facts')?.innerText.includes('DB_URL')")
    expect(await tab.evaluate("document.documentElement.outerHTML.includes('hush')")).toBe(false)
    expect(tab.problems).toEqual([])
  })

  test('exports the requests as an archive', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'iac-har-'))
    await tab.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder })
    expect(await tab.evaluate("document.querySelector('#har').disabled")).toBe(true)
    await createInstance('web-1')
    await tab.until("!document.querySelector('#har').disabled")
    await tabTo('#har')
    await tab.press('Enter')
    await tab.until("document.querySelector('#said').innerText === 'The requests are exported.'")
    await expect.poll(() => readdir(folder), { timeout: 5000 }).toEqual(['sandbox-requests.har'])
    const archive: unknown = JSON.parse(await readFile(join(folder, 'sandbox-requests.har'), 'utf8'))
    expect(archive).toMatchObject({ log: { version: '1.2', entries: [{ request: { method: 'POST', url: expect.stringContaining(`${sandbox.url}/v1/`) } }] } })
    await rm(folder, { recursive: true })
    expect(tab.problems).toEqual([])
  })

  test.each(['light', 'dark'])('can be read, named and reached in %s, at every width', async (scheme) => {
    await tab.media({ 'prefers-color-scheme': scheme })
    const snapshot = sandbox.snapshot()
    const users = (snapshot.tables['users'] ?? []).map((row) => ({ ...(typeof row === 'object' ? row : {}), email: `${'long'.repeat(14)}@example.test` }))
    sandbox.load({ ...snapshot, tables: { ...snapshot.tables, users } })
    await createInstance('a-name-that-is-so-long-that-no-card-has-room-for-it')
    await post(`/v1/workspaces/${sandbox.workspaceId}/invites`, '{"email":"ada@example.test","access_level":"EDITOR"}')
    await Promise.all(Array.from({ length: 60 }, () => post('/v1/nothing', '{}')))
    const headers = { 'x-sandbox-token': sandbox.controlToken, 'content-type': 'application/json' }
    await fetch(`${sandbox.url}/_sandbox/tenants`, { method: 'POST', headers })
    sandbox.faults.preset('throttle')
    sandbox.faults.add({ status: 503, operation: ['createInstance', 'deleteInstance', 'attachDisk', 'createVpc'], message: 'word'.repeat(40) })
    const workflow = { outcome: 'FAILED', leaves: 'nothing', lagMs: 1000, durationMs: 1000 } as const
    sandbox.faults.add({ workflow, operation: 'createDisk' })
    await tab.until("document.querySelectorAll('#fault-rows li').length === 2 && document.querySelector('#wallet-owner').innerText.startsWith('long')")
    await tab.until("!document.querySelector('#tenant').parentElement.hidden && document.querySelector('.card') && document.querySelector('#mail-rows code')")
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
    await createInstance('web')
    // What is still being made changes by itself while a slow machine shows the burst.
    await sandbox.clock.advance(600_000)
    const snapshot = sandbox.snapshot()
    const [row] = snapshot.tables['instances'] ?? []
    const many = Array.from({ length: 2000 }, (_, index) => ({
      ...(typeof row === 'object' ? row : {}),
      id: String(2n ** 61n + BigInt(index)),
      name: `web-${index}`,
    }))
    sandbox.load({ ...snapshot, tables: { ...snapshot.tables, instances: many } })
    await tab.until(`document.querySelectorAll('${INSTANCES}').length === 2000`, 20_000)
    await tab.evaluate(
      `window.touched = 0; new MutationObserver((all) => { window.touched += all.length }).observe(document.querySelector('${INSTANCES}').parentElement, { subtree: true, childList: true, attributes: true, characterData: true })`,
    )
    const looks = (): number => tab.requested.filter((url) => url.includes('/view?')).length
    const before = looks()
    await Promise.all(Array.from({ length: 40 }, () => post('/v1/nothing', '{}')))
    await tab.until("document.querySelectorAll('.request').length >= 41")
    expect(looks() - before).toBeLessThan(15)
    expect(tab.requested.slice(-1)[0]).toContain('since=')
    // Rows of what did not change are left alone.
    expect(Number(await tab.evaluate('window.touched'))).toBe(0)
    sandbox.load({ ...snapshot, tables: { ...snapshot.tables, instances: many.slice(1) } })
    await tab.until(`document.querySelectorAll('${INSTANCES}').length === 1999`, 20_000)
    expect(Number(await tab.evaluate('window.touched'))).toBeGreaterThan(0)
  })
})
