// Which backend a project file names, found in its text.
import { expect, test } from 'vitest'
import { backendNames } from '../../../project/configuration/state-backends.ts'
import { backendIn } from './pipeline.ts'

test.each([...backendNames])('%s is found wherever a project file names it', (name) => {
  expect([`state: { backend: ${name} }\n`, `name: shop\nstate:\n  backend: "${name}"\n`].map(backendIn)).toEqual([name, name])
})

test.each(['', 'name: shop\n', '# state: { backend: s3 }\n', 'state: { backend: consul }\n'])('local where %j names none that is there', (text) => {
  expect(backendIn(text)).toBe('local')
})
