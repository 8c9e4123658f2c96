// Everything that is published of a version, in one folder: npm run release -- [--out DIR] [--targets linux-x64,linux-arm64] [--dirty] [--check].
// It ends with 3 where it is refused, and with 75 where node cannot be fetched.
import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { buildDistribution } from './distribution.mjs'
import { embeddedIn, packagesOf } from './licences.mjs'
import { billOfMaterials } from './release/bill-of-materials.mjs'
import { momentOf, refuseChanges, trackedFiles } from './release/checkout.mjs'
import { buildDebianPackage } from './release/debian-package.mjs'
import { buildExecutables } from './release/executable.mjs'
import { archive, writeTree } from './release/file-tree.mjs'
import { copyright, forDebian, manualFiles } from './release/installed-files.mjs'
import { NotFetched, nodeVersion, pinned } from './release/node-binary.mjs'
import { packNpm } from './release/npm-package.mjs'
import { intoPlace } from './release/place.mjs'
import { Refused } from './release/refused.mjs'
import { shownFiles, sumsOf } from './release/sums.mjs'
import { fileNames, stem, targets } from './release/targets.mjs'

const run = promisify(execFile)
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    targets: { type: 'string', default: Object.keys(targets).join(',') },
    dirty: { type: 'boolean' },
    check: { type: 'boolean' },
  },
})
const names = values.targets.split(',')
for (const name of names) if (!Object.hasOwn(targets, name)) stop(`${name} is no target; there are: ${Object.keys(targets).join(', ')}`, 3)

try {
  const out = resolve(values.out)
  if (!values.dirty) await refuseChanges(out)
  await intoPlace(out, release)
  console.log(await shownFiles(out))
  if (values.check) await check(out)
} catch (error) {
  if (error instanceof Refused) stop(error.message, 3)
  if (!(error instanceof NotFetched)) throw error
  stop(error.message, 75)
}

/** Writes all of it into a folder that is there. */
async function release(out) {
  const manifest = JSON.parse(await readFile('package.json', 'utf8'))
  const { version, description, license: licence } = manifest
  const paths = await trackedFiles(['README.md', 'LICENSE', 'examples', 'schemas'])
  const epoch = await momentOf()
  const edition = { version, description, epoch, day: new Date(epoch * 1000).toISOString().slice(0, 10) }
  const work = resolve(`node_modules/.cache/iac/release-${process.pid}`)
  const files = fileNames(version, names)
  await rm(work, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  try {
    // Not the one that is worked with: somebody may be running it.
    const distribution = join(work, 'dist')
    const modules = await buildDistribution(distribution)
    const manual = await manualFiles(edition, join(distribution, 'main.js'))
    const built = await buildExecutables(names, join(distribution, 'chunks'), work)
    await Promise.all(names.map((name) => packageFor(name, built[name], { edition, manual, files, out, work })))
    await writeTree(join(work, 'manual'), within(`iac-${version}-manual`, manual), epoch)
    await archive(join(work, 'manual'), join(out, files.manual), epoch)
    await packNpm({ manifest, root: '.', paths, distribution, epoch }, join(work, 'npm'), out)
    await writeFile(join(out, files.bill), `${JSON.stringify(await billFor({ version, licence, epoch }, modules, built), null, 2)}\n`)
    await copyFile('.ci/Containerfile', join(out, files.container))
    await writeFile(join(out, 'SHA256SUMS'), await sumsOf(out))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** The archive and the package of a target. */
async function packageFor(name, { executable, node }, { edition, manual, files, out, work }) {
  if (!node.isStripped)
    console.warn(`*** ${name} is 20 MB larger than it must be: no ${targets[name].triplet}-strip is installed (binutils-${targets[name].triplet}) ***`)
  const installed = {
    'bin/iac': { from: executable, runs: true },
    ...manual,
    'share/doc/iac/copyright': { text: await copyright(edition, join(work, 'dist'), node) },
  }
  const tree = join(work, name, 'archive')
  await writeTree(tree, within(stem(edition.version, name), installed), edition.epoch)
  await archive(tree, join(out, files.archives[name]), edition.epoch)
  const debian = { ...edition, architecture: targets[name].debian }
  await buildDebianPackage(debian, forDebian(installed), join(work, name, 'debian'), join(out, files.packages[name]))
}

async function billFor(edition, modules, built) {
  const [{ node }] = Object.values(built)
  const parts = JSON.parse((await run(node.host, ['-p', 'JSON.stringify(process.versions)'])).stdout)
  const integrities = Object.fromEntries(names.map((name) => [name, pinned[name]]))
  return billOfMaterials({
    ...edition,
    packages: await packagesOf(modules),
    embedded: embeddedIn(modules),
    node: { version: nodeVersion, parts, integrities },
  })
}

function within(folder, files) {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [`${folder}/${path}`, file]))
}

/** Builds it once more, which has to give the same bytes, and tries what was built. */
async function check(out) {
  const sums = await readFile(join(out, 'SHA256SUMS'), 'utf8')
  const again = resolve('node_modules/.cache/iac/release-again')
  await rm(again, { recursive: true, force: true })
  await intoPlace(again, release)
  const differing = (await readFile(join(again, 'SHA256SUMS'), 'utf8')).split('\n').filter((line) => !sums.includes(line))
  await rm(again, { recursive: true, force: true })
  if (differing.length > 0) stop(`a second build gives other bytes:\n${differing.join('\n')}`, 1)
  console.log('a second build gives the same bytes')
  const words = ['run', '--config', '.config/vitest.config.ts', '--reporter=verbose', 'test/release']
  const env = { ...process.env, RELEASE_FOLDER: out }
  process.exitCode = await new Promise((done) =>
    spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], { stdio: 'inherit', env }).on('close', (code) => done(code ?? 1)),
  )
}

function stop(words, code) {
  console.error(words)
  process.exit(code)
}
