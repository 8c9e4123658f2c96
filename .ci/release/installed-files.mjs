// What is installed beside the program: man pages, completions and licences, each where its readers look for it.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { importSource } from '../import-source.mjs'
import { gzipped } from './file-tree.mjs'

/** Man pages and completions, by paths below a prefix such as /usr. */
export async function manualFiles({ version, day }, program) {
  const { releaseManual } = await importSource('src/cli/generate.ts')
  const pages = Object.entries(await releaseManual({ version, day })).map(([name, text]) => [`share/man/man1/${name}.gz`, { text: gzipped(text) }])
  const completion = async (shell) => (await promisify(execFile)(process.execPath, [program, 'completion', shell])).stdout
  return {
    ...Object.fromEntries(pages),
    'share/bash-completion/completions/iac': { text: await completion('bash') },
    'share/fish/vendor_completions.d/iac.fish': { text: await completion('fish') },
    'share/zsh/site-functions/_iac': { text: await completion('zsh') },
  }
}

/** The same where Debian's zsh looks for what packages bring. */
export function forDebian(files) {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path.replace('/zsh/site-functions/', '/zsh/vendor-completions/'), file]))
}

/** Under which conditions all that is in the program may be passed on: ours, those of what is bundled, those of node. */
export async function copyright({ version }, distribution, node) {
  const [ours, bundled, ofNode] = await Promise.all(
    ['LICENSE', join(distribution, 'THIRD-PARTY-LICENSES.txt'), node.licence].map((path) => readFile(path, 'utf8')),
  )
  const line = '='.repeat(80)
  return `iac ${version}\n\n${ours.trimEnd()}\n\n${line}\n${bundled.trimEnd()}\n\n${line}\nNode.js, with what it brings along\n\n${ofNode.trimEnd()}\n`
}
