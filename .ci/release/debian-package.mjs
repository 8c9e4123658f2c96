// The package for Debian and what came of it.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { writeTree } from './file-tree.mjs'
import { debianVersion } from './targets.mjs'

/** The libraries that node asks for, by the packages that hold them; every image of Debian has these, and all since 2018 are new enough. */
export const libraries = Object.freeze({
  'libc6 (>= 2.28)': ['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0', 'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'],
  'libgcc-s1': ['libgcc_s.so.1'],
  'libstdc++6 (>= 8)': ['libstdc++.so.6'],
})

/** What dpkg is told of it. */
export function controlText({ version, architecture, installedKib, description, maintainer }) {
  return [
    'Package: iac',
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${installedKib}`,
    `Depends: ${Object.keys(libraries).join(', ')}`,
    'Section: admin',
    'Priority: optional',
    'Description: infrastructure as code for one cloud provider',
    ...folded(description).map((line) => ` ${line}`),
    '',
  ].join('\n')
}

/** As Debian's own tools have it in the environment. */
export function maintainer({ DEBFULLNAME: name = 'The maintainers of iac', DEBEMAIL: email = 'maintainers@iac.invalid' }) {
  return `${name} <${email}>`.replaceAll(/[\r\n]/g, ' ')
}

/** Packs files (by their paths below /usr) for an architecture, below a folder for work. */
export async function buildDebianPackage({ version, architecture, description, epoch }, files, work, output) {
  const root = Object.fromEntries(Object.entries(files).map(([path, file]) => [`usr/${path}`, file]))
  const contents = await Promise.all(
    Object.entries(root).map(async ([path, { text, from }]) => ({ path, content: from === undefined ? Buffer.from(text) : await readFile(from) })),
  )
  const sums = contents.map(({ path, content }) => `${createHash('md5').update(content).digest('hex')}  ${path}\n`)
  const installedKib = Math.ceil(contents.reduce((sum, { content }) => sum + content.length, 0) / 1024)
  const control = controlText({ version, architecture, installedKib, description, maintainer: maintainer(process.env) })
  await writeTree(work, { ...root, 'DEBIAN/control': { text: control }, 'DEBIAN/md5sums': { text: sums.toSorted().join('') } }, epoch)
  await promisify(execFile)('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', work, output], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
  })
}

/** Lines of at most 78 signs. */
function folded(text) {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    if (`${lines.at(-1)} ${word}`.length > 78) lines.push(word)
    else lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim()
  }
  return lines
}
