// A name that was to be that of a secret field is told without the line that it stands in.
import { expect, test } from 'vitest'
import { load, manifest } from '../../../test/builders/project.ts'

test.each([
  ['K3sSecret', 'dat: { PASSWORD: canary }', true],
  ['Instance', 'cloud_ini: canary', true],
  ['Vpc', 'descripton: canary', false],
] as const)('%s with %s: hidden is %j', (kind, line, isHidden) => {
  const { diagnostics } = load(manifest(kind, 'main', line))
  const found = diagnostics.find((one) => one.code === 'unknown_field')
  expect(found).toBeDefined()
  expect(!JSON.stringify(found).includes('canary')).toBe(isHidden)
})
