// Commands in texts, with the flags of the run that tells them.
import { expect, test } from 'vitest'
import { withPlace } from './placed-commands.ts'

test.each([
  ['see `iac status`', 'see `iac status -e dev --sandbox`'],
  ['forget it: `iac state rm \'Vpc/net["a"]\'`; then plan', 'forget it: `iac state rm -e dev --sandbox \'Vpc/net["a"]\'`; then plan'],
  ['`iac state pull -e dev > FILE` or `iac status`', '`iac state pull --sandbox -e dev > FILE` or `iac status -e dev --sandbox`'],
  ['sign in with `iac login`, see `iac explain state`', 'sign in with `iac login`, see `iac explain state`'],
  ['`iac status-page` and `iac state frobnicate`', '`iac status-page` and `iac state frobnicate`'],
  ['iac status', 'iac status'],
  ['see `iac apply --help`', 'see `iac apply --help`'],
])('%s', (text, expected) => {
  expect(withPlace(text, ['-e dev', '--sandbox'])).toBe(expected)
  expect(withPlace(text, [])).toBe(text)
})
