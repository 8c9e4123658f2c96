// Notes what each file of tests computes for, itself and its programs, where TEST_TIMES names a file: `npm run slow-files` reads it.
import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

const times = process.env['TEST_TIMES']

if (times !== undefined) {
  const before = spentSeconds()
  afterAll(({ file }) => appendFileSync(times, `${JSON.stringify({ file: file.name, seconds: spentSeconds() - before })}\n`))
}

/** Of all threads of this process, and of its programs that have ended. */
function spentSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // Behind the name in brackets, which may hold anything: the state, ten numbers, then ticks of 10 ms, its own and of its children, each by user and system.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ticks.slice(11, 15).reduce((sum, one) => sum + Number(one) / 100, 0)
}
