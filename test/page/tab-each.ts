// A sandbox and a tab of Chromium for each test, the browser once for all of a file.
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { TestSandbox } from '../../src/sandbox/test-sandbox.ts'
import { createTestSandbox } from '../../src/sandbox/test-sandbox.ts'
import type { Browser, Tab } from './chromium.ts'
import { chromiumPath, startChromium } from './chromium.ts'

/** What a test of the page works with: a sandbox that listens, its clock frozen, and an empty tab of 1280 × 800. */
export interface OpenTab {
  readonly sandbox: TestSandbox
  readonly tab: Tab
  /** Opens another tab in front of it, for as long as the test runs. */
  openTab(): Promise<Tab>
}

/** Hands `begin` a new sandbox and tab before each test; after it the tabs are closed, and the sandbox that `current` names by then. */
export function tabEach(begin: (open: OpenTab) => Promise<void> | void, current: () => TestSandbox): void {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium(chromiumPath ?? '')
  })
  afterAll(async () => {
    await browser?.close()
  })
  beforeEach(async () => {
    const sandbox = createTestSandbox({ clock: 'frozen' })
    await sandbox.listen()
    const tabs: Tab[] = []
    async function openTab(): Promise<Tab> {
      const tab = await browser.open()
      tabs.push(tab)
      await tab.resize(1280, 800)
      return tab
    }
    await begin({ sandbox, tab: await openTab(), openTab })
    return async () => {
      for (const tab of tabs) await tab.close()
      await current().close()
    }
  })
}
