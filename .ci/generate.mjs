// Writes what is made from the sources: everything under schemas/, examples/ci, the sandbox's page and the map of the architecture page; with --check it only says what differs.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { importSource } from './import-source.mjs'
import { withMap } from './map.mjs'
import { pageAsset } from './page.mjs'

const { forgeExamples, generatedFiles } = await importSource('src/cli/generate.ts')
const { reliabilityPage } = await importSource('test/reliability/page.ts')
const { coveragePage } = await importSource('test/routes/coverage-page.ts')
const { sandboxInTestsPage } = await importSource('test/library/sandbox-in-tests-page.ts')
const { policiesPage } = await importSource('test/examples/policies-page.ts')
const isCheck = process.argv.includes('--check')
let stale = 0
const below = {
  ...(await generatedFiles()),
  'reference/reliability.md': reliabilityPage(),
  'reference/coverage.md': coveragePage(),
  'reference/policies.md': await policiesPage(),
  'reference/sandbox-in-tests.md': await sandboxInTestsPage(),
}
const files = {
  ...Object.fromEntries(Object.entries(below).map(([name, text]) => [join('schemas', name), text])),
  ...Object.fromEntries(Object.entries(forgeExamples()).map(([name, text]) => [join('examples/ci', name), text])),
  'src/sandbox/page/page-asset.ts': await pageAsset(),
}
for (const [path, text] of Object.entries(files)) {
  const present = await readFile(path, 'utf8').catch(() => undefined)
  if (present === text) continue
  stale += 1
  if (isCheck) console.error(`${path} is not what the sources give: run npm run generate`)
  else {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}
const page = 'schemas/reference/architecture.md'
const text = await readFile(page, 'utf8')
const mapped = await withMap(text)
if (mapped !== text) {
  stale += 1
  if (isCheck) console.error(`the map of ${page} is not what the sources give: run npm run generate`)
  else await writeFile(page, mapped)
}
process.exitCode = isCheck && stale > 0 ? 1 : 0
