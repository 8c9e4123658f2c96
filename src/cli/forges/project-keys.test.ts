// Keys of comments and issues: projects of one name in one repository have their own, and one that nothing else is called like keeps its own when it moves.
import { mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CommentKeys } from './comment-mark.ts'
import { isMarkOf, keyDigits } from './comment-mark.ts'
import { keysOf } from './project-keys.ts'

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

const keysIn = (root: string, folder: string): CommentKeys => keysOf(about, join(root, folder))

test('a project at the root of its repository, or of none, has the key that it always had', () => {
  const root = repository({ '.': 'name: infra\n', 'a/infra': '' })
  expect(keysOf(about, root).key).toBe(shared)
  const alone = mkdtempSync(join(tmpdir(), 'iac-keys-'))
  expect(keysOf(about, alone).key).toBe(shared)
})

test('projects of one name are told apart by their folders, whichever has a project file, and from whichever folder', () => {
  const root = repository({ 'a/infra': 'name: infra\n', 'b/infra': 'kind: Project\n' })
  mkdirSync(join(root, 'c/infra'), { recursive: true })
  const all = ['.', 'a/infra', 'b/infra', 'c/infra'].map((folder) => keysIn(root, folder))
  expect(all.map((one) => all.filter((other) => isMarkOf(one, other)).length)).toEqual([1, 1, 1, 1])
  expect(['.', 'a/infra', 'b/infra', 'c/infra'].map((folder) => keysOf(about, join(root, 'b/infra'), folder))).toEqual(all)
})

test('what is added to the repository, or may not be read there, takes no key from a project', () => {
  const root = repository({ a: 'name: infra\n' })
  const before = keysIn(root, 'a')
  mkdirSync(join(root, 'b'))
  symlinkSync('nowhere', join(root, 'b/iac.yaml'))
  expect(isMarkOf(before, keysIn(root, 'a'))).toBe(true)
  expect([isMarkOf(before, keysIn(root, 'b')), isMarkOf(keysIn(root, 'b'), before)]).toEqual([false, false])
})

test('a mark of an earlier version is of whatever project had its key then', () => {
  const root = repository({ 'a/infra': 'name: infra\n', 'b/infra': 'kind: Project\n' })
  const [a, b] = [keysIn(root, 'a/infra'), keysIn(root, 'b/infra')]
  expect([shared, a.key, b.key].map((key) => isMarkOf({ key }, a))).toEqual([true, true, false])
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
  const before = keysIn(root, 'a/infra')
  renameSync(join(root, 'a/infra'), join(root, 'moved'))
  expect(isMarkOf(before, keysIn(root, 'moved'))).toBe(isSure)
})
