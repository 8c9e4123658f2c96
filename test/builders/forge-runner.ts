// A runner of a forge in a plain folder: steps in a shell, and a release that is fetched by a curl of our own and holds the built program.
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

export type Variables = Readonly<Record<string, string>>

export interface ForgeRunner {
  /** Where the release lies, and its checksum. */
  readonly release: { readonly IAC_RELEASE_URL: string; readonly IAC_RELEASE_SHA256: string }
  /** Runs lines as a forge does: one shell, which ends with the first that fails. Rejects with an Error that holds what was printed. */
  shell(script: string, environment?: Variables): Promise<string>
  /** Of GitHub: what steps write for later ones. */
  readonly files: { readonly GITHUB_PATH: string; readonly GITHUB_ENV: string; readonly GITHUB_OUTPUT: string; readonly GITHUB_STEP_SUMMARY: string }
}

/** Its program takes the embedded service wherever it would make calls, except to a forge. */
export function forgeRunner(folder: string): ForgeRunner {
  const own = join(folder, '.runner')
  const [bin, packed, temporary] = [join(own, 'bin'), join(own, 'iac-0.0.0-linux-x64/bin'), join(own, 'temp')]
  for (const path of [bin, packed, temporary]) mkdirSync(path, { recursive: true })
  const main = resolve('dist/main.js')
  program(join(packed, 'iac'), `case "$1" in validate|comment) exec node ${main} "$@";; esac\nexec node ${main} "$@" --sandbox`)
  const tarball = join(own, 'iac.tar.gz')
  execFileSync('tar', ['-czf', tarball, '-C', own, 'iac-0.0.0-linux-x64'])
  const url = 'https://releases.example/iac-0.0.0-linux-x64.tar.gz'
  // Takes what is fetched from the one address that there is.
  program(
    join(bin, 'curl'),
    `url= out= proto=\nwhile [ $# -gt 0 ]; do case "$1" in --output) out="$2"; shift;; --proto) proto="$2"; shift;; https://*|http://*|/*) url="$1";; esac; shift; done
[ "$proto" = =https ] && [ "$url" = ${url} ] || exit 22\ncp ${tarball} "$out"`,
  )
  const files = { GITHUB_PATH: join(own, 'path'), GITHUB_ENV: join(own, 'env'), GITHUB_OUTPUT: join(own, 'output'), GITHUB_STEP_SUMMARY: join(own, 'summary') }
  return {
    release: { IAC_RELEASE_URL: url, IAC_RELEASE_SHA256: createHash('sha256').update(readFileSync(tarball)).digest('hex') },
    files,
    async shell(script, environment = {}) {
      const added = existsSync(files.GITHUB_PATH) ? readFileSync(files.GITHUB_PATH, 'utf8').trim().split('\n') : []
      const path = [...added.toReversed(), bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(':')
      const left = existsSync(files.GITHUB_ENV) ? variablesIn(files.GITHUB_ENV) : {}
      const env = { PATH: path, HOME: folder, TMPDIR: temporary, RUNNER_TEMP: temporary, CI: 'true', ...files, ...left, ...environment }
      return (await promisify(execFile)('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], { cwd: folder, env })).stdout
    },
  }
}

/** Makes the folder a repository that is its own forge, and answers the commit that `main` is at. */
export async function onMain({ shell }: ForgeRunner): Promise<string> {
  const made = `git init -qb main . && git config user.name tester && git config user.email tester@example.test && git remote add origin "$PWD"
git add iac.yaml infra && git commit -qm declared`
  return (await shell(`${made} && git rev-parse HEAD`)).trim()
}

/** A later commit of `main`. */
export const mainGoesOn = 'git commit -q --allow-empty -m "taken back"'

function program(path: string, lines: string): void {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
}

/** What a step wrote as NAME=VALUE, a line each. */
export function variablesIn(file: string): Variables {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const))
}
