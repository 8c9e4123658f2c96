// Dot files and dot folders: what names them, and what links lead there.
import { expect, test } from 'vitest'
import { isHiddenPath, isLinkedHidden } from './hidden-path.ts'

test.each(['.env', 'a/.git/config', './.ssh/id', '.a/b', '...', '..data/x', 'a/../.env'])('%s is hidden', (path) => {
  expect(isHiddenPath(path)).toBe(true)
})

test.each(['a', './a', '../a', 'a/../b', 'a.b/c.', '', 'a//b'])('%s is not', (path) => {
  expect(isHiddenPath(path)).toBe(false)
})

test.each([
  ['as it stands', 'a.yaml', 'a.yaml', false],
  ['named so', '.ci/vars.yaml', '.ci/vars.yaml', false],
  ['a link within the folder that is named', '.ci/vars.yaml', '.ci/prod.yaml', false],
  ['a link to a dot file', 'a.yaml', '.env', true],
  ['a link into a dot folder', 'a/x', '.git/config', true],
  ['a link from one dot folder to another', '.ci/vars.yaml', '.git/config', true],
  ['a link to another dot file', '.ci/vars.yaml', '.ci/.env', true],
  ['a mounted volume', 'iac.yaml', '..2024_05_01_12_00_00.123456789/iac.yaml', false],
  ['a dot file in a mounted volume', 'iac.yaml', '..2024_05_01_12_00_00.123456789/.env', true],
  ['the name of a mounted volume elsewhere', 'iac.yaml', 'a/..2024_05_01_12_00_00.123456789/x', true],
])('%s', (_, written, real, is) => {
  expect(isLinkedHidden(written, real)).toBe(is)
})
