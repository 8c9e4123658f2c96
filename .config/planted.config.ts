// Runs tests against sources with one bug in them, by its number in PLANTED_BUG: how test/state/planted-bugs.test.ts shows that they are found.
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { plantedBugs } from '../test/state/planted-bugs.ts'
import { tags } from './tags.ts'

const bug = plantedBugs[Number(process.env['PLANTED_BUG'] ?? 'NaN')]
if (!bug) throw new Error('PLANTED_BUG is the number of a bug')
const root = resolve(import.meta.dirname, '..')
const planted = resolve(root, bug.file)
const isPlanted = (id: string): boolean => id.split('?')[0] === planted

export default defineConfig({
  plugins: [
    {
      name: 'planted',
      enforce: 'pre',
      // What is made of all other sources is that of any run.
      api: { vitest: { experimental: { ignoreFsModuleCache: true } } },
      configureVitest: ({ experimental_defineCacheKeyGenerator: cachedBy }) => cachedBy(({ id }) => (isPlanted(id) ? false : undefined)),
      transform(code, id) {
        if (!isPlanted(id)) return undefined
        if (code.split(bug.from).length !== 2) throw new Error(`${bug.file} does not hold once: ${bug.from}`)
        return { code: code.replace(bug.from, () => bug.to), map: null }
      },
    },
  ],
  test: {
    root,
    globalSetup: ['.config/own-temporary-folder.ts', '.config/form-and-seed.ts'],
    setupFiles: ['.config/clean-environment.ts'],
    experimental: { fsModuleCache: true },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    tags,
    include: [bug.test],
  },
})
