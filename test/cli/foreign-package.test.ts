// The name `iac` belongs to somebody else on npm: nothing that is written, shown or generated here may have it installed from there.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pipelines } from '../../src/cli/documents/pipelines/pipelines.ts'

const root = join(import.meta.dirname, '../..')
const verbs =
  'npm\\s+(?:i|in|ins|inst|install|isntall|add|exec|x|ci|update|up|init|create)|pnpm\\s+(?:add|dlx|i|install)|yarn\\s+(?:global\\s+)?(?:add|dlx)|bun\\s+(?:add|x|install)|npx|pnpx|bunx'
const byName = new RegExp(
  `\\b(?:${verbs})\\b[^\\n|;&#]*?[\\s"'](?:[\\w-]+@npm:|npm:)?iac(?:@[^\\s"'\`]*)?(?=["'\`),]|\\s|$)|"iac"\\s*:\\s*"(?:npm:|[\\^~<>=*\\d])`,
)

function texts(): readonly (readonly [string, string])[] {
  const paths = ['README.md', 'package.json', 'Containerfile', ...['schemas', 'examples', 'src', '.ci'].flatMap(below)]
  const files = paths.filter((path) => /\.(?:md|ya?ml|sh|json|mjs|ts|tf)$|Containerfile$/.test(path) && !path.includes('/.iac/'))
  const generated = Object.entries(pipelines).flatMap(([name, { files }]) =>
    Object.entries(files({ version: '1.1.0', backend: 'http' })).map(([path, text]) => [`${name}: ${path}`, text] as const),
  )
  return [...files.map((path) => [path, textOf(path)] as const), ...generated]
}

function below(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath.slice(root.length + 1), one.name))
}

function textOf(path: string): string {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return ''
  }
}

test('no page, example, pipeline or source installs it by that name', () => {
  const all = texts()
  expect(all.length).toBeGreaterThan(500)
  expect(all.filter(([, text]) => byName.test(text)).map(([path, text]) => `${path}: ${byName.exec(text)?.[0] ?? ''}`)).toEqual([])
})

test.each([
  'npm install --global --ignore-scripts iac@1.0.1',
  'npm i -g iac',
  'npm install iac',
  'so that `npm install iac` trusts',
  'npx iac plan',
  'npx --yes iac@latest plan',
  'npm exec iac -- plan',
  'pnpm add -D iac',
  '"devDependencies": { "iac": "^1.0.0" }',
])('that would be seen: %s', (text) => expect(byName.test(text)).toBe(true))

test.each([
  'npm install ./iac-0.1.0.tgz',
  'npm link # puts iac on the PATH',
  'npm ci && iac plan',
  'npm run build; iac version',
  '"bin": { "iac": "dist/main.js" }',
])('that would not: %s', (text) => expect(byName.test(text)).toBe(false))
