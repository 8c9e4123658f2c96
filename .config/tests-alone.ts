// Tests that alter the process around them, by module mocks, false timers, full disks or an interceptor of all requests: each has a process of its own.

export const testsAlone: readonly string[] = Object.freeze([
  'src/api/transport/silence.test.ts',
  'src/api/transport/silent-address.test.ts',
  'src/api/transport/socket-transport.test.ts',
  'src/base/abort.test.ts',
  'src/base/clock.test.ts',
  'src/cli/forges/forges.test.ts',
  'src/sandbox/store/full-disk.test.ts',
  'src/sandbox/time/sandbox-clock.test.ts',
  'test/cli/shared-folder.test.ts',
  'test/simulation/planted-bugs.test.ts',
  'test/two-forms.test.ts',
])
