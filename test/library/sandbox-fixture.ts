// A vitest fixture: each test that asks for `sandbox` gets one of its own, closed when the test has ended.
import { test as base } from 'vitest'
import type { Sandbox } from '../../src/library.ts'
import { createSandbox } from '../../src/library.ts'

/**
 * `test` with a sandbox; this file is all it takes:
 * `import { test } from './sandbox-fixture.ts'`, then `test('…', async ({ sandbox }) => { … })`.
 */
export const test = base.extend<{ readonly sandbox: Sandbox }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
  async sandbox({}, use) {
    const sandbox = createSandbox()
    await use(sandbox)
    await sandbox.close()
  },
})
