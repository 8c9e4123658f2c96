// How the tests run: units beside the sources, what crosses folders under test/. schemas/reference/testing.md tells the layers and the two forms.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { seedOfRun } from './form-and-seed.ts'
import { Interleaved } from './interleaved.ts'
import { drawsSlow, filesLeft } from './slow-files.ts'
import { tags } from './tags.ts'

/** Tests that alter the process around them have one of their own: by what the runner lends for that, or by an interceptor of all requests. */
const altering = [...testsThat(/\bvi\.(?!waitFor)/), 'src/**/{socket-transport,forges}.test.ts']
/** As have those that take in the tests of other files, which a process loads once. */
const alone = [...altering, 'test/sandbox/{in-process,over-http}.test.ts']
/** Tests of commands that start programs; the others run commands in process. */
export const programs = [
  'ci-examples,completion,foreign-package,generated,hostile-files,hostile-repository,init,operating-terminal,package,pipelines,process,sandbox-command,sandbox-seeds',
  'shared-example,shown-commands,sign-in-terminal,sign-in',
].map((names) => `test/cli/{${names}}.test.ts`)
/** Whatever leaves modules and process as it found them. */
const sharing = ['src/**/*.test.ts', 'test/{cli,conformance,scenarios,stories}/**/*.test.ts']
/** Tests that start programs, servers and browsers, or look at several folders: run against a fresh build, in processes of their own. */
const around = [...programs, 'test/!(cli|conformance|scenarios|stories)/**/*.test.ts', 'test/*.test.ts']

/** Ends what hangs, and nothing that is slow: what takes 20 s alone takes three times that beside others, and a slow machine doubles it. */
const patienceMs = process.env['TEST_FORM'] === 'long' ? 600_000 : 120_000

const seed = seedOfRun()
/** What this run does not take. */
const left = drawsSlow(process.argv.slice(2), process.env) ? filesLeft(seed) : []

/** What all projects share. */
const common = {
  setupFiles: ['.config/clean-environment.ts', '.config/measure-files.ts'],
  testTimeout: patienceMs,
  hookTimeout: patienceMs,
  // Each of thousands of tests makes a service of its own, and leaves it: room for what is young saves a twentieth of all that is computed.
  // A share of all memory bounds what is kept of answers, and tests fill it: what a process gets here is the same on every machine.
  // What is old is looked through once there is a GiB of it: a heap that begins small, and grows by and by, takes another twelfth for that.
  execArgv: ['--max-semi-space-size=64', '--max-old-space-size=2048', '--initial-old-space-size=1024'],
}

export default defineConfig({
  test: {
    globalSetup: ['.config/own-temporary-folder.ts', '.config/form-and-seed.ts'],
    // More than there are cores: many of these tests wait for processes and clocks. A share such as 200% is cut to the number of cores.
    // Still more would load everything once more, and keep short leases from their heartbeats.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: Interleaved },
    tags,
    // What the runner makes of a source is made once, not once in each project and run.
    experimental: { fsModuleCache: true },
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'], reportsDirectory: 'coverage' },
    projects: [
      // With a process for each file, the same sources would be loaded hundreds of times; with more projects, once more in each process of theirs.
      { test: { ...common, name: 'shared', include: sharing, exclude: [...left, ...alone, ...programs], isolate: false } },
      { test: { ...common, name: 'programs', include: around, exclude: [...left, ...alone], isolate: false, globalSetup: ['.config/fresh-build.ts'] } },
      { test: { ...common, name: 'alone', include: alone, exclude: [...left] } },
    ],
  },
})

/** Files of tests in which that stands, by their paths from here. */
function testsThat(hold: RegExp): readonly string[] {
  const root = resolve(import.meta.dirname, '..')
  const files = ['src', 'test'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
  return files.filter((name) => name.endsWith('.test.ts') && hold.test(readFileSync(join(root, name), 'utf8')))
}
