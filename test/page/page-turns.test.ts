// The page where things take another turn: tokens refused, a sandbox that goes, faults, another clock, other workspaces.
import { describe, expect, test } from 'vitest'
import { pageAddress } from '../../src/sandbox/page/page.ts'
import type { TestSandbox } from '../../src/sandbox/test-sandbox.ts'
import { createTestSandbox } from '../../src/sandbox/test-sandbox.ts'
import type { Tab } from './chromium.ts'
import { chromiumPath } from './chromium.ts'
import { tabEach } from './tab-each.ts'

const linkIs = (word: string): string => `document.querySelector('#link .word').textContent === '${word}'`
const saidIs = (text: string): string => `document.querySelector('#said').textContent === ${JSON.stringify(text)}`
const textOf = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})?.textContent`

describe.skipIf(chromiumPath === undefined)('the page', () => {
  let sandbox: TestSandbox
  let tab: Tab

  tabEach(
    (open) => void ({ sandbox, tab } = open),
    () => sandbox,
  )

  async function open(): Promise<void> {
    await tab.goto(pageAddress(sandbox.url, sandbox.controlToken))
    await tab.until(linkIs('live'))
  }
  async function unlock(token: string): Promise<void> {
    await tab.evaluate(`document.querySelector('#token').value = ${JSON.stringify(token)}; document.querySelector('#unlock').requestSubmit()`)
  }
  async function click(selector: string): Promise<void> {
    await tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new MouseEvent('click', { bubbles: true }))`)
  }
  async function post(path: string, body: string): Promise<number> {
    const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
    return (await sandbox.fetch(path, { method: 'POST', headers, body })).status
  }
  function idOf(table: string): string {
    const row = sandbox.snapshot().tables[table]?.[0]
    return typeof row === 'object' && row !== null && 'id' in row ? String(row.id) : ''
  }
  async function createInstance(name: string): Promise<string> {
    const body = `{"type":"PLAN","name":"${name}","region":"fra-1","plan":${idOf('plans')}}`
    expect(await post(`/v1/workspaces/${sandbox.workspaceId}/instances`, body)).toBeLessThan(300)
    return idOf('instances')
  }
  /** Copies of the one instance, with other columns; loading them is a reset, which the page has to see. */
  function loadInstances(copies: readonly object[]): void {
    const snapshot = sandbox.snapshot()
    const [row] = snapshot.tables['instances'] ?? []
    const made = copies.map((columns, index) => ({ ...(typeof row === 'object' ? row : {}), id: String(2n ** 61n + BigInt(index)), ...columns }))
    sandbox.load({ ...snapshot, tables: { ...snapshot.tables, instances: made } })
  }

  test('asks for the token, says when it is refused, and opens with the right one', async () => {
    await tab.goto(`${sandbox.url}/`)
    await tab.until("!document.querySelector('#lock').hidden && document.querySelector('#main').hidden && document.activeElement.id === 'token'")
    expect(await tab.evaluate(textOf('#lock-reason'))).toBe('')
    await unlock('not the token')
    await tab.until(`${textOf('#lock-reason')}.startsWith('The token was refused.')`)
    expect(await tab.evaluate(`[document.querySelector('#main').hidden, ${linkIs('locked')}]`)).toEqual([true, true])
    await unlock(sandbox.controlToken)
    await tab.until(`${linkIs('live')} && document.querySelector('#lock').hidden && !document.querySelector('#main').hidden`)
    expect(await tab.evaluate("[document.querySelector('#token').value, document.activeElement.id]")).toEqual(['', 'map'])
    expect(await tab.evaluate(textOf('#lock-reason'))).toBe('')
    await tab.until("document.querySelector('#clock-steps button')")
    await tab.evaluate("sessionStorage.setItem('iac-sandbox-token', 'of the sandbox before')")
    await click('#clock-steps button')
    await tab.until(`!document.querySelector('#lock').hidden && ${textOf('#lock-reason')} === 'The token was refused.'`)
  })

  test('takes a token from its address while it is open, and leaves other fragments alone', async () => {
    await tab.goto(`${sandbox.url}/`)
    await tab.evaluate("location.hash = '#clock'")
    await tab.until("location.hash === '#clock' && !document.querySelector('#lock').hidden")
    await tab.evaluate(`location.hash = '#token=${sandbox.controlToken}'`)
    await tab.until(linkIs('live'))
    expect(await tab.evaluate('location.hash')).toBe('')
  })

  test('says that the sandbox is gone, that nothing can be done, and that the next one has another token', async () => {
    await open()
    await tab.until("document.querySelector('#clock-steps button')")
    const port = Number(new URL(sandbox.url).port)
    await sandbox.close()
    await tab.until(linkIs('reconnecting'))
    await click('#clock-steps button')
    await tab.until(saidIs('Failed to fetch'))
    sandbox = createTestSandbox()
    expect(await sandbox.listen(port)).toBe(`http://127.0.0.1:${port}`)
    await tab.until(`!document.querySelector('#lock').hidden && ${textOf('#lock-reason')}.includes('another one each time')`)
    expect(await tab.evaluate("document.querySelector('#said').className")).toBe('toast')
    await unlock(sandbox.controlToken)
    await tab.until(linkIs('live'))
    expect(await tab.evaluate("[document.querySelector('#said').className, document.querySelector('#said').textContent]")).toEqual(['unseen', ''])
  })

  test('puts a switch back that could not be turned', async () => {
    await open()
    await tab.until("document.querySelector('#preset-outage')")
    await tab.evaluate("window.fetched = window.fetch; window.fetch = () => Promise.reject(new TypeError('cut off'))")
    await click('#preset-outage')
    await tab.until(`${saidIs('cut off')} && !document.querySelector('#preset-outage').checked`)
    await tab.evaluate('window.fetch = window.fetched')
    await click('#preset-outage')
    await tab.until(`${saidIs('outage is on.')} && document.querySelector('#preset-outage').checked`)
    expect(sandbox.faults.list().map((one) => one.preset)).toEqual(['outage'])
  })

  test('removes other faults one by one and all together, and says why something was refused', async () => {
    const add = (status: number): string => sandbox.faults.add({ status, operation: 'listPlans' }).id ?? ''
    const rows = "document.querySelectorAll('#fault-rows li').length"
    const [first, second] = [add(500), add(502)]
    await open()
    await tab.until(`${rows} === 2`)
    await click('#fault-rows li button')
    await tab.until(`${saidIs('The fault is removed.')} && ${rows} === 1`)
    expect(sandbox.faults.list().map(({ id }) => id)).toEqual([second])
    expect(first).not.toBe(second)
    // Removed behind the page's back: what the sandbox answers is what the page says.
    sandbox.faults.remove(second)
    await click('#fault-rows li button')
    await tab.until(saidIs('fault not found'))
    add(503)
    sandbox.faults.preset('throttle')
    await open()
    await tab.until(`${rows} === 1 && document.querySelector('#preset-throttle').checked`)
    await click('#faults-off')
    await tab.until(`${saidIs('All faults are removed.')} && ${rows} === 0 && document.querySelector('#faults-off').hidden`)
    expect(await tab.evaluate('document.activeElement.id')).toBe('faults')
    expect(sandbox.faults.list()).toEqual([])
  })

  test('sets how time passes, and by how much', async () => {
    await open()
    await tab.until("document.querySelector('#clock-modes input[value=frozen]')?.checked")
    await click('#clock-modes input[value=scaled]')
    await tab.until("!document.querySelector('#clock-scale').hidden && document.querySelector('#clock-scale input').value === '60'")
    const scale = (value: string): string => `{
      const input = document.querySelector('#clock-scale input')
      input.value = '${value}'
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }`
    for (const nonsense of ['', '-3', '1000000000']) await tab.evaluate(scale(nonsense))
    await tab.evaluate("document.querySelector('#clock-scale input').focus()")
    await tab.evaluate(scale('3600'))
    await expect.poll(() => sandbox.clock.course).toEqual({ mode: 'scaled', scale: 3600 })
    expect(tab.problems).toEqual([])
    await click('#clock-modes input[value=jumping]')
    await tab.until("document.querySelector('#clock-scale').hidden && document.querySelector('#clock-modes input[value=jumping]').checked")
    expect(sandbox.clock.course.mode).toBe('jumping')
  })

  test('goes on showing the time to who wants little motion', async () => {
    await sandbox.close()
    sandbox = createTestSandbox({ clock: 'scaled', scale: 3600 })
    await sandbox.listen()
    await tab.media({ 'prefers-reduced-motion': 'reduce' })
    await open()
    await tab.until(`/^\\d\\d:/.test(${textOf('#clock-time')})`)
    const changes = `new Promise((resolve) => {
      let count = 0
      new MutationObserver(() => (count += 1)).observe(document.querySelector('#clock-time'), { childList: true, characterData: true, subtree: true })
      setTimeout(() => resolve(count), 2500)
    })`
    const count = Number(await tab.evaluate(changes))
    expect(count).toBeGreaterThan(0)
    // Five times a second otherwise.
    expect(count).toBeLessThan(8)
  })

  test('tells of an instance with its firewall, and closes that by its button or a second click', async () => {
    const id = await createInstance('web-1')
    await sandbox.clock.advance(60_000)
    for (const description of ['', 'shop']) {
      const rule = { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', port_start: 443, ...(description === '' ? {} : { description }) }
      expect(await post(`/v1/instances/${id}/firewall-rules`, JSON.stringify(rule))).toBe(201)
    }
    await open()
    await tab.until("document.querySelector('.card')")
    await click('.card')
    await tab.until("document.querySelectorAll('#details tbody tr').length === 2")
    expect(await tab.evaluate("[...document.querySelectorAll('#details tbody tr')].map((row) => row.title).sort()")).toEqual(['', 'shop'])
    expect(await tab.evaluate(textOf('#details .small li'))).toContain('instance.create')
    await click('.card')
    await tab.until("document.querySelector('#details').hidden && document.querySelector('.card').getAttribute('aria-pressed') === 'false'")
    await click('.card')
    await tab.until("document.querySelector('#details button')")
    await tab.evaluate("document.querySelector('#details button').focus()")
    // What changes while it is read leaves the focus where it was.
    expect(await post(`/v1/instances/${id}/firewall-rules`, '{"type":"IPv4","protocol":"UDP","action":"DROP"}')).toBe(201)
    await tab.until("document.querySelectorAll('#details tbody tr').length === 3 && document.activeElement.ariaLabel === 'Close details'")
    await click('#details button')
    await tab.until("document.querySelector('#details').hidden && document.activeElement.ariaLabel?.startsWith('web-1')")
    expect(tab.problems).toEqual([])
  })

  test.each(['.area[role=button]', '#details button'])('leaves the focus at the map when what is told of goes, from %s', async (selector) => {
    await post(`/v1/workspaces/${sandbox.workspaceId}/vpcs`, '{"name":"backend","description":"","range":"10.0.0.0/24"}')
    await open()
    await tab.until("document.querySelector('.area[role=button]')")
    await click('.area[role=button]')
    await tab.until(`${textOf('#details-title')} === 'backend'`)
    await tab.evaluate(`document.querySelector('${selector}').focus()`)
    const headers = { authorization: `Bearer ${sandbox.token}` }
    expect((await sandbox.fetch(`/v1/vpcs/${idOf('vpcs')}`, { method: 'DELETE', headers })).status).toBeLessThan(300)
    await tab.until("document.querySelector('#details').hidden && document.activeElement.id === 'map'")
    expect(tab.problems).toEqual([])
  })

  test('leaves the focus where it is when something before it goes', async () => {
    const create = async (name: string, range: string): Promise<string> => {
      await post(`/v1/workspaces/${sandbox.workspaceId}/vpcs`, JSON.stringify({ name, description: '', range }))
      return idOf('vpcs')
    }
    const first = await create('first', '10.0.0.0/24')
    await create('second', '10.0.1.0/24')
    await open()
    await tab.until("document.querySelectorAll('.area[role=button]').length === 2")
    await tab.evaluate(`document.querySelector('[aria-label^="second, VPC"]').focus()`)
    await sandbox.fetch(`/v1/vpcs/${first}`, { method: 'DELETE', headers: { authorization: `Bearer ${sandbox.token}` } })
    await tab.until("document.querySelectorAll('.area[role=button]').length === 1")
    expect(await tab.evaluate("document.activeElement.ariaLabel?.startsWith('second, VPC')")).toBe(true)
  })

  test('draws networks and states that are not well, each with a mark of its own', async () => {
    await post(`/v1/workspaces/${sandbox.workspaceId}/vpcs`, '{"name":"backend","description":"","range":"10.0.0.0/24"}')
    await createInstance('web-1')
    await sandbox.clock.advance(60_000)
    loadInstances([{ name: 'a-failed', state: 'FAILED' }, { name: 'b-suspended', state: 'SUSPENDED' }, { name: 'c-well' }])
    await open()
    const cards = "[...document.querySelectorAll('.card[data-key^=instances]')]"
    await tab.until(`${cards}.length === 3`)
    const marks = `${cards}.map((card) => [card.dataset.tone, card.querySelector('.dot').tagName].join(' ')).sort()`
    expect(await tab.evaluate(marks)).toEqual(['bad path', 'good circle', 'paused rect'])
    const network = "document.querySelector('.area[role=button]')"
    expect(await tab.evaluate(`${network}.ariaLabel`)).toContain('backend')
    await tab.evaluate(`${network}.focus()`)
    await tab.press(' ')
    await tab.until(`${network}.getAttribute('aria-pressed') === 'true' && ${textOf('#details-title')} === 'backend'`)
    // Where the focus lands by other means than arrows, the arrows go on from there.
    await tab.evaluate("document.querySelectorAll('.card')[2].focus()")
    await tab.until("document.querySelectorAll('.card')[2].getAttribute('tabindex') === '0' && document.querySelectorAll('.card[tabindex=\"0\"]').length === 1")
    await tab.press('x')
    expect(await tab.evaluate("document.activeElement === document.querySelectorAll('.card')[2]")).toBe(true)
    expect(tab.problems).toEqual([])
  })

  test('shows a workflow that will not end without a number, and counts those that it leaves out', async () => {
    sandbox.faults.preset('stuck-workflow')
    await createInstance('web-1')
    await sandbox.clock.advance(60_000)
    await open()
    await tab.until("document.querySelector('[role=progressbar]')")
    expect(await tab.evaluate("document.querySelector('[role=progressbar]').getAttribute('aria-valuenow')")).toBe(null)
    const snapshot = sandbox.snapshot()
    const [row] = snapshot.tables['workflows'] ?? []
    const many = Array.from({ length: 70 }, (_, index) => ({ ...(typeof row === 'object' ? row : {}), id: String(2n ** 61n + BigInt(index)) }))
    sandbox.load({ ...snapshot, tables: { ...snapshot.tables, workflows: many } })
    await tab.until(`document.querySelectorAll('.flow').length === 60 && ${textOf('#workflows-note')}.includes('10 more not shown')`)
    expect(tab.problems).toEqual([])
  })

  test('stands where there is hardly anything: a workspace and its owner', async () => {
    await open()
    await tab.until(`${textOf('#wallet-owner')} !== '' && ${textOf('#glance')}.includes('an hour')`)
    const snapshot = sandbox.snapshot()
    const { users = [], workspaces = [], members = [] } = snapshot.tables
    sandbox.load({ ...snapshot, tables: { users, workspaces, members } })
    await tab.until(`!document.querySelector('#map-empty').hidden`)
    expect(await tab.evaluate("[document.querySelectorAll('#workspace option').length, document.querySelector('#map-empty').hidden]")).toEqual([1, false])
    expect(tab.problems).toEqual([])
  })

  test('opens and closes a request, walks up and down, and names the fault that answered', async () => {
    sandbox.faults.add({ status: 503, operation: 'listPlans', message: 'gone for lunch' })
    await sandbox.fetch('/v1/plans', { headers: { authorization: `Bearer ${sandbox.token}` } })
    await post('/v1/nothing', '{}')
    await open()
    const buttons = "document.querySelectorAll('.request button')"
    await tab.until(`${buttons}.length === 2`)
    await tab.evaluate(`${buttons}[1].click()`)
    await tab.until(`${textOf('.bodies p')}?.includes('gone for lunch') && ${textOf('.bodies p')}.includes('(by ')`)
    expect(await tab.evaluate(textOf('.bodies .note'))).toBe('no body')
    await click('.bodies')
    await tab.evaluate(`${buttons}[1].click()`)
    await tab.until("!document.querySelector('.bodies')")
    await tab.evaluate(`${buttons}[1].click()`)
    await tab.until(`${textOf('.bodies p')}?.includes('gone for lunch')`)
    await tab.evaluate(`${buttons}[1].focus()`)
    const focused = `[...${buttons}].indexOf(document.activeElement)`
    for (const [key, index] of [
      ['ArrowUp', 0],
      ['ArrowUp', 0],
      ['ArrowDown', 1],
      ['ArrowRight', 1],
    ] as const) {
      await tab.press(key)
      expect(await tab.evaluate(focused), key).toBe(index)
    }
  })

  test('leaves single keys alone once they are switched off, also after it is loaded anew', async () => {
    await open()
    await tab.until("document.querySelector('#clock-steps button')")
    const pressed = async (key: string): Promise<unknown> => {
      await tab.evaluate('document.activeElement.blur()')
      await tab.press(key)
      return await tab.evaluate('document.activeElement.id')
    }
    expect(await pressed('4')).toBe('clock')
    await click('#shortcuts-on')
    expect(await pressed('5')).toBe('')
    // Another query, for a fragment alone loads nothing.
    await tab.goto(`${sandbox.url}/?again=`)
    await tab.until(`${linkIs('live')} && document.querySelector('#clock-steps button')`)
    expect(await pressed('5')).toBe('')
    await click('#shortcuts-on')
    expect(await pressed('5')).toBe('faults')
  })

  test('shows one workspace, and another when it is chosen', async () => {
    await createInstance('web-1')
    expect(await post('/v1/workspaces', '{"name":"another"}')).toBeLessThan(300)
    await open()
    await tab.until("document.querySelector('.card') && document.querySelectorAll('#workspace option').length === 2")
    await click('.card')
    await tab.until("!document.querySelector('#details').hidden")
    const choose = (name: string): string => `{
      const chosen = document.querySelector('#workspace')
      chosen.value = [...chosen.options].find((one) => one.textContent === '${name}').value
      chosen.dispatchEvent(new Event('change', { bubbles: true }))
    }`
    const isEmpty = "!document.querySelector('#map-empty').hidden && document.querySelector('#details').hidden"
    await tab.evaluate(choose('another'))
    await tab.until(`${isEmpty} && !document.querySelector('#workflows-empty').hidden`)
    await tab.evaluate(choose('default'))
    await tab.until("document.querySelector('.card') && document.querySelector('#map-empty').hidden")
    await click('.card')
    await tab.until("!document.querySelector('#details').hidden")
    await tab.evaluate('history.back()')
    await tab.until(isEmpty)
    expect(tab.problems).toEqual([])
  })
})
