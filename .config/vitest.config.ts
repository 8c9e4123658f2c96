// How the tests run: units beside the sources, what crosses folders under test/.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['.config/own-temporary-folder.ts'],
    setupFiles: ['.config/clean-environment.ts'],
    // All cores: by default one is left idle, which on two is half of them.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: { include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'], reportsDirectory: 'coverage' },
  },
})
