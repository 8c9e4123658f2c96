// Measures which files of tests are slow: .config/slow-files.json tells of them. On Linux, with nothing else beside it; ten minutes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** From so many seconds of processor on a file is slow. */
const SLOW = 3
/** In every run, however slow: planted bugs and fields must be found, and the house must stand. */
const always = new Set([
  'test/simulation/planted-bugs.test.ts',
  'test/state/planted-bugs.test.ts',
  'test/conformance/walk.test.ts',
  'test/architecture.test.ts',
])
const to = '.config/slow-files.json'

const folder = mkdtempSync(join(tmpdir(), 'iac-slow-files-'))
const times = join(folder, 'times')
try {
  const env = { ...process.env, TEST_FORM: 'short', TEST_SLOW: 'all', TEST_TIMES: times }
  const { status } = spawnSync('npm', ['test', '--', '--reporter=dot'], { stdio: 'inherit', env })
  process.exitCode = status ?? 1
  if (status === 0)
    write(
      readFileSync(times, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
  else console.error('Nothing is written: what failed may have taken more or less than it does else.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function write(measured) {
  const slow = measured.filter(({ file, seconds }) => seconds >= SLOW && !always.has(file))
  const rows = slow.toSorted((a, b) => (a.file < b.file ? -1 : 1)).map(({ file, seconds }) => [file, Math.round(seconds)])
  writeFileSync(to, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`)
}
