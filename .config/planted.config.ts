// Runs tests against sources with one bug in them, by its number in PLANTED_BUG: how test/state/planted-bugs.test.ts shows that they are found.
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { plantedBugs } from '../test/state/planted-bugs.ts'

const bug = plantedBugs[Number(process.env['PLANTED_BUG'] ?? 'NaN')]
if (!bug) throw new Error('PLANTED_BUG is the number of a bug')
const root = resolve(import.meta.dirname, '..')

export default defineConfig({
  plugins: [
    {
      name: 'planted',
      enforce: 'pre',
      transform(code, id) {
        if (id.split('?')[0] !== resolve(root, bug.file)) return undefined
        if (code.split(bug.from).length !== 2) throw new Error(`${bug.file} does not hold once: ${bug.from}`)
        return { code: code.replace(bug.from, () => bug.to), map: null }
      },
    },
  ],
  test: {
    root,
    globalSetup: ['.config/own-temporary-folder.ts', '.config/form-and-seed.ts'],
    setupFiles: ['.config/clean-environment.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    include: [bug.test],
  },
})
