// Keys of comments and issues: projects of one name in one repository have their own.
import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyDigits } from './comment-mark.ts'
import { keyOf } from './project-keys.ts'

const about = { project: 'infra', environment: null, tag: 'default' }
const shared = keyDigits({ ...about, folder: '' })

/** A repository with a project file in each folder. */
function repository(projects: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'iac-keys-'))
  mkdirSync(join(root, '.git'))
  for (const [folder, text] of Object.entries(projects)) {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, 'iac.yaml'), text)
  }
  return root
}

test('a project at the root of its repository, or of none, has the key that it always had', () => {
  const root = repository({ '.': 'name: infra\n', 'a/infra': '' })
  expect(keyOf(root, about)).toBe(shared)
  const alone = mkdtempSync(join(tmpdir(), 'iac-keys-'))
  expect(keyOf(alone, about)).toBe(shared)
})

test('projects of one name are told apart by their folders', () => {
  const root = repository({ 'a/infra': 'name: infra\n', 'b/infra': 'kind: Project\n' })
  const [a, b] = [keyOf(join(root, 'a/infra'), about), keyOf(join(root, 'b/infra'), about)]
  expect(new Set([a, b, shared]).size).toBe(3)
})

test.each<[string, string, boolean]>([
  ['another name', 'name: shop\n', true],
  ['another name in quotes, with a comment', 'kind: Project\nname: "shop" # ours\n', true],
  ['the same name', "name: 'infra'\n", false],
  ['no name, in a folder called otherwise', 'kind: Project\n', true],
  ['a name that is not read', 'name:\n  infra\n', false],
  ['a name in a map on one line', '{ kind: Project, name: infra }\n', false],
])('a project moves with its key beside one with %s: %o', (_, text, isSure) => {
  const root = repository({ 'a/infra': 'name: infra\n', 'b/other': text })
  const before = keyOf(join(root, 'a/infra'), about)
  renameSync(join(root, 'a/infra'), join(root, 'moved'))
  expect([before === shared, keyOf(join(root, 'moved'), about) === before]).toEqual([isSure, isSure])
})
