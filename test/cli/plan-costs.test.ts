// What a deletion costs, all of it: told by every form of a plan in the same words.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const formats = ['markdown', 'html', 'svg', 'mermaid', 'dot', 'junit', 'sarif', 'github']
const manifest = 'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, name: web, plan: ryzen-4, region: fra-1 }\n'

const folder = newFolder()
beforeAll(async () => {
  writeFileSync(join(folder, 'main.yaml'), manifest)
  await runCli(['apply', '--sandbox', '--auto-approve'], { folder })
  const flags = formats.flatMap((name) => ['--format', `${name}=plan.${name}`])
  await runCli(['plan', '--destroy', '--sandbox', ...flags], { folder })
})

test.each(formats)('%s', (name) => {
  const text = readFileSync(join(folder, `plan.${name}`), 'utf8').replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  expect(text).toContain('loses its data, loses its address')
})
