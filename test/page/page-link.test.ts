// The page's link to the sandbox: many tabs at once, looks that fail, and answers that never come.
import { describe, expect, test } from 'vitest'
import { pageAddress } from '../../src/sandbox/page/page.ts'
import type { TestSandbox } from '../../src/sandbox/test-sandbox.ts'
import type { Tab } from './chromium.ts'
import { chromiumPath } from './chromium.ts'
import type { OpenTab } from './tab-each.ts'
import { tabEach } from './tab-each.ts'

const linkIs = (word: string): string => `document.querySelector('#link .word').textContent === '${word}'`
const isShown = (name: string): string => `document.querySelector('[aria-label^="${name}, VPC"]')`

describe.skipIf(chromiumPath === undefined)('the page', () => {
  let sandbox: TestSandbox
  let tab: Tab
  let openTab: OpenTab['openTab']

  tabEach(
    async (open) => {
      ;({ sandbox, tab, openTab } = open)
      await show(tab)
    },
    () => sandbox,
  )

  async function show(one: Tab): Promise<void> {
    await one.goto(pageAddress(sandbox.url, sandbox.controlToken))
    await one.until(`${linkIs('live')} && document.querySelector('#clock-steps button')`)
  }
  async function createVpc(name: string): Promise<void> {
    const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name, description: '', range: '10.0.0.0/24' })
    expect((await sandbox.fetch(`/v1/workspaces/${sandbox.workspaceId}/vpcs`, { method: 'POST', headers, body })).status).toBeLessThan(300)
  }
  /** Has the page's requests go wrong while `window.fault` says how: no connection, or no answer before patience ends, which is soon. */
  async function breakFetch(): Promise<void> {
    await tab.evaluate(`{
      const { fetch, AbortSignal } = window
      const late = AbortSignal.timeout.bind(AbortSignal)
      window.patience = []
      window.fault = ''
      AbortSignal.timeout = (ms) => {
        window.patience.push(ms)
        return late(window.fault === '' ? ms : 50)
      }
      window.fetch = (url, options) =>
        window.fault === 'lost' ? Promise.reject(new TypeError('lost'))
        : window.fault === 'silent' ? new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)))
        : fetch(url, options)
    }`)
  }

  test('can be open in more tabs than there are connections: those that nobody sees hold none', async () => {
    let last = tab
    for (let count = 0; count < 6; count += 1) await show((last = await openTab()))
    await createVpc('later')
    await last.until(isShown('later'))
    expect(await tab.evaluate(`Boolean(${isShown('later')})`)).toBe(false)
    await tab.send('Page.bringToFront')
    await tab.until(`${linkIs('live')} && ${isShown('later')}`)
    const before = sandbox.clock.wall()
    await tab.evaluate("document.querySelector('#clock-steps button').click()")
    await expect.poll(() => sandbox.clock.wall()).toBe(before + 60_000)
    expect(tab.problems).toEqual([])
  })

  test('looks again by itself after a look that failed, and says so until one succeeds', async () => {
    await breakFetch()
    await tab.evaluate("window.fault = 'lost'")
    await createVpc('later')
    await tab.until(linkIs('reconnecting'))
    await tab.evaluate("window.fault = ''")
    await tab.until(`${linkIs('live')} && ${isShown('later')}`)
    expect(tab.problems).toEqual([])
  })

  test('says that no answer comes, of what is done, of looks and of the stream', async () => {
    const isSaid = "document.querySelector('#said').textContent.startsWith('The sandbox did not answer within 20 s.')"
    await breakFetch()
    await tab.evaluate("window.fault = 'silent'; document.querySelector('#clock-steps button').click()")
    await tab.until(`${isSaid} && document.querySelector('#said').className === 'toast'`)
    await createVpc('later')
    await tab.until(linkIs('reconnecting'))
    await openTab()
    await tab.until('document.hidden')
    await tab.evaluate("document.querySelector('#said').textContent = ''; window.patience.length = 0")
    await tab.send('Page.bringToFront')
    await tab.until(isSaid)
    expect(await tab.evaluate(`[${linkIs('live')}, new Set(window.patience).size, window.patience[0]]`)).toEqual([false, 1, 20_000])
    await tab.evaluate("window.fault = ''")
    await tab.until(`${linkIs('live')} && ${isShown('later')}`)
  })
})
