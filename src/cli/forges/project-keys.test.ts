// Keys of comments and issues: projects of one name in one repository have their own, and the former one is taken over where it is nobody else's.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyDigits } from './comment-mark.ts'
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

test('a project at the root of its repository, or of none, has the key that it always had', () => {
  const root = repository({ '.': 'name: infra\n', 'a/infra': '' })
  expect(keysOf(root, about)).toEqual({ key: shared, former: undefined })
  const alone = mkdtempSync(join(tmpdir(), 'iac-keys-'))
  expect(keysOf(alone, about)).toEqual({ key: shared, former: undefined })
})

test('projects of one name are told apart by their folders, and none takes what may be of the other', () => {
  const root = repository({ 'a/infra': 'name: infra\n', 'b/infra': 'kind: Project\n' })
  const [a, b] = [keysOf(join(root, 'a/infra'), about), keysOf(join(root, 'b/infra'), about)]
  expect(new Set([a.key, b.key, shared]).size).toBe(3)
  expect([a.former, b.former]).toEqual([undefined, undefined])
})

test.each<[string, string, boolean]>([
  ['another name', 'name: shop\n', true],
  ['another name in quotes, with a comment', 'kind: Project\nname: "shop" # ours\n', true],
  ['the same name', "name: 'infra'\n", false],
  ['no name, in a folder called otherwise', 'kind: Project\n', true],
  ['a name that is not read', 'name:\n  infra\n', false],
  ['a name in a map on one line', '{ kind: Project, name: infra }\n', false],
])('the key of earlier versions is taken over beside a project with %s: %o', (_, text, isSure) => {
  const root = repository({ 'a/infra': 'name: infra\n', 'b/other': text })
  expect(keysOf(join(root, 'a/infra'), about).former).toBe(isSure ? shared : undefined)
})
