// How the tests run: units beside the sources, what crosses folders under test/. schemas/reference/testing.md tells the layers and the two forms.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Units that alter the process around them, by module mocks, false timers, full disks or an interceptor of all requests: each has a process of its own. */
const alone = ['src/**/{full-disk,sandbox-clock,abort,silence,silent-address,clock,socket-transport,forges}.test.ts']
/** Tests of commands that start programs, and share their own processes; the others run commands in process. */
const programs = [
  'ci-examples,completion,foreign-package,generated,hostile-files,hostile-repository,init,operating-terminal,package,pipelines,process,sandbox-command,sandbox-seeds',
  'shared-example,shown-commands,sign-in-terminal,sign-in',
].map((names) => `test/cli/{${names}}.test.ts`)
/** Tests of commands in modules of their own making. */
const mocking = ['test/cli/shared-folder.test.ts']
/** Whatever leaves modules and process as it found them. */
const sharing = ['src/**/*.test.ts', 'test/{cli,conformance,scenarios,stories}/**/*.test.ts']
/** Tests of the built program, which are run against a fresh one, as are those of commands. */
const built = ['test/crash/**/*.test.ts']

/** What all projects share. */
const common = {
  setupFiles: ['.config/clean-environment.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Each of thousands of tests makes a service of its own, and leaves it: room for what is young saves a twentieth of all that is computed.
  execArgv: ['--max-semi-space-size=64'],
}

export default defineConfig({
  test: {
    globalSetup: ['.config/own-temporary-folder.ts', '.config/form-and-seed.ts'],
    // More than there are cores: many of these tests wait for processes and clocks. A share such as 150% is cut to the number of cores.
    // Still more would keep short leases from their heartbeats.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'], reportsDirectory: 'coverage' },
    projects: [
      // With a process for each file, the same sources would be loaded hundreds of times.
      { test: { ...common, name: 'shared', include: sharing, exclude: [...alone, ...programs, ...mocking], isolate: false } },
      { test: { ...common, name: 'programs', include: programs, isolate: false, globalSetup: ['.config/fresh-build.ts'] } },
      {
        test: {
          ...common,
          name: 'alone',
          include: [...alone, ...mocking, 'test/!(cli|conformance|scenarios|stories)/**/*.test.ts', 'test/*.test.ts'],
          exclude: built,
        },
      },
      { test: { ...common, name: 'built', include: built, globalSetup: ['.config/fresh-build.ts'] } },
    ],
  },
})
