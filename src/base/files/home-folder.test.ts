// The user's home folder: never one that would lie in the project.
import { isAbsolute } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { homeFolder } from './home-folder.ts'

afterEach(() => vi.unstubAllEnvs())

test('is what HOME says, where that is a whole path', () => {
  vi.stubEnv('HOME', '/home/somebody')
  expect(homeFolder()).toBe('/home/somebody')
})

test.each(['', '.', 'here'])('is another one where HOME is %j', (home) => {
  vi.stubEnv('HOME', home)
  expect(isAbsolute(homeFolder())).toBe(true)
})
