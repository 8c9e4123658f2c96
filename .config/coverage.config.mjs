// How much of the sandbox its tests run: `npm run coverage`, with what the page's script runs in the browser.
import { convert } from 'ast-v8-to-istanbul'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'
import { parseAstAsync } from 'vitest/node'
import { pageAsset } from '../.ci/page.mjs'
import everything from './vitest.config.ts'

const client = resolve('src/sandbox/page/client')
const seenInBrowser = resolve(`node_modules/.cache/iac/page-coverage-${process.pid}`)

/** Serves the page with a script whose places can be told, by paths from here: minified, several branches are one expression. */
const readablePage = {
  name: 'readable-page',
  enforce: 'pre',
  load: async (id) => (id.endsWith('/src/sandbox/page/page-asset.ts') ? await pageAsset({ minify: false, sourcemap: 'inline', file: 'page.js' }) : undefined),
}

/** Puts what ran in the browser in the place of the client's files, which no test runs in node; the models count by their unit tests alone. */
const withBrowser = {
  async onCoverage(coverage) {
    if (!existsSync(seenInBrowser)) return
    const maps = await Promise.all((await readdir(seenInBrowser)).map((name) => clientRun(join(seenInBrowser, name))))
    const files = new Set(maps.flatMap((map) => Object.keys(map)))
    coverage.filter((path) => !files.has(path))
    for (const map of maps) coverage.merge(map)
    await rm(seenInBrowser, { recursive: true })
  },
}

/** What one tab ran of the client, by the script's source map. */
async function clientRun(path) {
  const { code, functions } = JSON.parse(await readFile(path, 'utf8'))
  const [, inline = ''] = /sourceMappingURL=data:[^,]*base64,([\w+/=]+)/.exec(code) ?? []
  const sourceMap = JSON.parse(Buffer.from(inline, 'base64').toString())
  const map = await convert({ code, sourceMap, ast: parseAstAsync(code), coverage: { functions, url: pathToFileURL(resolve('page.js')).href } })
  return Object.fromEntries(Object.entries(map).filter(([file]) => file.startsWith(client)))
}

export default defineConfig({
  ...everything,
  plugins: [readablePage],
  test: {
    ...everything.test,
    projects: undefined,
    setupFiles: ['.config/clean-environment.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    include: ['src/sandbox/**/*.test.ts', 'test/{sandbox,page,library}/**/*.test.ts'],
    env: { PAGE_COVERAGE_FOLDER: seenInBrowser },
    reporters: ['dot', withBrowser],
    coverage: {
      enabled: true,
      include: ['src/sandbox/**/*.ts'],
      // The page as a generated text has nothing to run.
      exclude: ['src/sandbox/**/*.test.ts', 'src/sandbox/page/page-asset.ts'],
      reporter: ['text', 'html'],
      reportsDirectory: 'coverage/sandbox',
      thresholds: { branches: 95 },
    },
  },
})
