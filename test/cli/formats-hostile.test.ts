// Every format there is, of a project with secrets and of texts that want to be commands, tags or fences: none leaks, none forges.
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { formats, formatsOf } from '../../src/cli/apply/formats.ts'
import { holdsCommand } from '../../src/cli/render/text/runner-commands.ts'
import { canariesIn } from '../builders/canaries.ts'
import { junitProblems } from '../builders/junit-rules.ts'
import { metricsIn } from '../builders/metric-rules.ts'
import { newFolder, runCli } from './run-cli.ts'

const canary = 'CanaryOfFormats1234'
const hostile =
  'x\n::error::forged\n##vso[task.complete]\r::add-mask::y\n```\n</details><script>alert(1)</script>]]><!-- iac:plan --> @everyone\u001b[2J\u0000\u009b\u202e{"a":1}'
const yaml = JSON.stringify(hostile).replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
const folder = newFolder()
const wrong = newFolder()
const run = (...words: string[]) => runCli(words, { folder, environment: { IAC_VAR_password: canary } })

const project = `apiVersion: iac/v1
kind: Project
name: hostile
variables: { password: { type: string, sensitive: true } }
outputs:
  secret: { value: "\${vars.password}" }
  text: { value: "\${file('hostile.txt')}" }
`
const vpc = (range: string) => `apiVersion: iac/v1
kind: Vpc
metadata: { name: main, for_each: ["::error::a ##vso[x]", "</summary>\`\`\`@team"] }
spec: { name: "net-\${sha256(each.key).substring(0, 6)}", description: "\${file('hostile.txt')}", range: ${range} }
---
apiVersion: iac/v1
kind: BgpConfiguration
metadata: { name: bgp }
spec: { asn: 64512, password: "\${vars.password}" }
`
const recorded = z.array(z.object({ address: z.string(), id: z.string() }))

beforeAll(async () => {
  for (const one of [folder, wrong]) writeFileSync(join(one, 'hostile.txt'), hostile)
  writeFileSync(join(folder, 'iac.yaml'), project)
  writeFileSync(join(folder, 'main.yaml'), vpc('10.0.0.0/24'))
  writeFileSync(join(wrong, 'iac.yaml'), project)
  writeFileSync(join(wrong, 'main.yaml'), `${vpc('10.0.0.0/24')}  ${yaml}: 1\n---\napiVersion: iac/v1\nkind: ${yaml}\nmetadata: { name: ${yaml} }\n`)
  const applied = await run('apply', '--sandbox', '--auto-approve', '--json')
  if (applied.code !== 0) throw new Error(applied.stdout)
  const found = recorded.parse(JSON.parse((await run('state', 'list', '--sandbox', '--json')).stdout))
  const vpcs = found.filter(({ address }) => address.startsWith('Vpc/'))
  for (const { id } of vpcs) await run('api', 'PATCH', `/v1/vpcs/${id}`, '-f', `description=y${hostile}`, '--sandbox')
  writeFileSync(join(folder, 'main.yaml'), vpc('10.1.0.0/24'))
  const planned = await run('plan', '--sandbox', '--out', 'saved.plan')
  if (planned.code !== 0) throw new Error(planned.stderr)
})

/** By format what its own readers demand, besides what holds for all. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  junit: async (text) => expect(await junitProblems(text)).toEqual([]),
  openmetrics: metricsIn,
  github: (text) => expect(text.split('\n').filter((line) => line !== '' && !/^::(?:error|warning|notice) /.test(line))).toEqual([]),
  dotenv: (text) => expect(text).toMatch(/^(?:[A-Z_]+=[\w.-]*\n)+$/),
  markdown(text) {
    const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    const tags = new Set(Array.from(html.matchAll(/<\/?([a-z!][\w-]*)/gi), ([, tag]) => tag))
    expect([...tags].filter((tag) => ['script', 'a', '!--', 'img'].includes(tag ?? ''))).toEqual([])
    expect(html.replace(/<(code|pre)\b[^]*?<\/\1>/g, '')).not.toMatch(/@|alert|forged/)
    expect(text).not.toContain('<!--')
  },
}

const commands: readonly (readonly [subject: 'plan' | 'drift' | 'validate', words: readonly string[]])[] = [
  ['plan', ['plan', '--sandbox']],
  ['plan', ['plan', '--sandbox', '--destroy']],
  ['plan', ['plan', '--sandbox', '--compat', 'terraform']],
  ['plan', ['show', 'saved.plan']],
  ['drift', ['drift', '--sandbox', '--unmanaged']],
  ['validate', ['validate', '--dir', wrong]],
]
const placeOf = (at: number, format: string) => join(folder, `report-${at}.${format}`)
const cases = commands.flatMap(([subject, words], at) => formatsOf(subject).map((format) => ({ at, format, line: words.join(' ').replace(wrong, 'FOLDER') })))

async function expectHarmless(format: string, text: string): Promise<void> {
  expect(canariesIn(text, [canary])).toEqual([])
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  if (formats.get(format)?.commands !== true) expect(holdsCommand(text)).toBe(false)
  else expect(text).not.toMatch(/##vso\[|::add-mask|::error::/)
  if (text.startsWith('{') || text.startsWith('[')) JSON.parse(text)
  if (text !== '') await readers[format]?.(text)
}

describe('in a file no secret, no control character and no command is in', () => {
  beforeAll(async () => {
    for (const [at, [subject, words]] of commands.entries()) {
      const { code, stderr } = await run(...words, ...formatsOf(subject).flatMap((format) => ['--format', `${format}=${placeOf(at, format)}`]))
      if (![0, 2, 3].includes(code)) throw new Error(stderr)
    }
  })

  test.each(cases)('$line --format $format', async ({ at, format }) => {
    await expectHarmless(format, readFileSync(placeOf(at, format), 'utf8'))
  })
  test.each(['text', 'json', 'markdown', 'terraform-json'])('%s, and the texts that want it are there', (format) => {
    expect(readFileSync(placeOf(0, format), 'utf8')).toContain('forged')
  })
})

test.each(formatsOf('plan'))('what is printed as %s is as harmless', async (format) => {
  await expectHarmless(format, (await run('show', 'saved.plan', '--format', format)).stdout)
})

test('every format is asked for', () => {
  expect(new Set(cases.map((one) => one.format))).toEqual(new Set(formats.keys()))
})

test.each(formatsOf('plan').filter((format) => !['text', 'json'].includes(format)))('what is printed as %s is what a file of it holds', async (format) => {
  const calm = newFolder()
  writeFileSync(join(calm, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: calm\n')
  const machine = 'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, plan: ryzen-4, region: fra-1, vpcs: [main] }\n'
  const network = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main, description: of ::a, range: 10.1.0.0/24 }\n'
  writeFileSync(join(calm, 'main.yaml'), `${machine}---\n${network}`)
  const [printed, kept] = [await runCli(['plan', '--sandbox', '--format', format], { folder: calm }), join(calm, 'kept')]
  await runCli(['plan', '--sandbox', '--format', `${format}=${kept}`], { folder: calm })
  const timeless = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?|\d{10,}(?:\.\d+)?/g, 'T')
  expect(printed.code, printed.stderr).toBe(0)
  expect(timeless(printed.stdout)).toBe(timeless(readFileSync(kept, 'utf8')))
})
