// What the pages on the language show is true: every example of a manifest is planned as it stands there, every expression evaluated.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Scope } from '../../src/expressions/evaluate.ts'
import { evaluate } from '../../src/expressions/evaluate.ts'
import { parseExpression } from '../../src/expressions/expression.ts'
import { exampleVariables, functionGroups } from '../../src/expressions/function-texts.ts'
import type { Value } from '../../src/expressions/value.ts'
import { holdsSensitive, holdsUnknown, map, scalar, unknown, valueAt, valueOf } from '../../src/expressions/value.ts'
import { newFolder, runCli } from './run-cli.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../schemas/reference', name), 'utf8')

/** One thing that a reader does: writes a file, or runs a command and sees lines. */
type Act = { readonly name: string; readonly text: string } | { readonly words: readonly string[]; readonly prints: readonly string[] }

/** The examples of a page: what stands below a heading of the third level, in order. */
function scenesOf(page: string): { readonly title: string; readonly acts: readonly Act[] }[] {
  const parts = page.split(/^## /m).slice(1)
  return parts.flatMap((part) => {
    const [topic = ''] = part.split('\n')
    return part
      .split(/^### /m)
      .slice(1)
      .map((text) => ({ title: `${topic}: ${text.split('\n')[0]}`, acts: actsOf(text) }))
  })
}

function actsOf(text: string): Act[] {
  const blocks = text.matchAll(/(?:^`([^`]+)`:\n\n)?^```(yaml|console)\n([^]*?)^```$/gm)
  return Array.from(blocks, ([, name = '', language, body = '']): Act => {
    if (language === 'yaml') return { name, text: body }
    const [command = '', ...prints] = body.trimEnd().split('\n')
    return { words: command.replace('$ iac ', '').split(' '), prints }
  })
}

const scenes = scenesOf(read('manifests.md'))

/** Does what a reader of a page would; the lines that the page shows and nobody sees. */
async function missingLines(acts: readonly Act[]): Promise<string[]> {
  const folder = newFolder()
  const missing: string[] = []
  for (const act of acts) {
    if ('name' in act) {
      mkdirSync(dirname(join(folder, act.name)), { recursive: true })
      writeFileSync(join(folder, act.name), act.text)
    } else {
      const { stdout, stderr } = await runCli(act.words, { folder })
      const printed = `${stdout}${stderr}`
      if (act.words[0] === 'plan' && act.prints.length === 0) missing.push(`any line of ${act.words.join(' ')}`)
      missing.push(...act.prints.filter((line) => !printed.includes(line)))
    }
  }
  return missing
}

describe('pipeline.md', () => {
  const shown = scenesOf(read('pipeline.md'))
  test('has examples', () => expect(shown.map(({ title }) => title)).toContain('Permissions: The smallest token for a network'))
  test.each(shown)('$title', async ({ acts }) => expect(await missingLines(acts)).toEqual([]))
})

describe('manifests.md', () => {
  test('has an example of everything that the language has', () => {
    expect(scenes.length).toBeGreaterThan(14)
    for (const { acts } of scenes) expect(acts.filter((act) => 'words' in act).length).toBeGreaterThan(0)
  })

  test.concurrent.each(scenes)('$title', async ({ acts }) => expect(await missingLines(acts)).toEqual([]))
})

const variables = valueOf({ ...exampleVariables, zone: 'a' })
const net = (range: string): Value =>
  map(
    new Map<string, Value>([
      ['range', scalar(range)],
      ['id', unknown(['Vpc/main.id'])],
    ]),
  )
const nets: Readonly<Record<string, Value>> = { a: net('10.21.0.0/24'), b: net('10.22.0.0/24') }
const scope: Scope = {
  each: undefined,
  variable: (name) => (name === 'password' ? scalar('hunter2', true) : valueAt(variables, [name])),
  keysOf: (_, name) => (name === 'net' ? new Set(Object.keys(nets)) : undefined),
  resource: (_, name, key, path) => valueAt(name === 'net' ? (nets[key ?? ''] ?? scalar(null)) : net('10.20.0.0/24'), path),
  lookup: () => valueOf({ cpu: 4 }),
  file: () => valueOf('hello\n'),
}

/** What an expression gives, as the page tells it. */
function given(source: string): unknown {
  const parsed = parseExpression(source)
  if (!parsed.ok) throw new Error(`${source} does not parse: ${parsed.message}`)
  const evaluated = evaluate(parsed.parsed, scope)
  if (!evaluated.ok) throw new Error(`${source}: ${evaluated.message}`)
  if (holdsSensitive(evaluated.value)) return '(sensitive value)'
  return holdsUnknown(evaluated.value) ? '(known after apply)' : evaluated.value
}

const page = read('expressions.md').replaceAll('\\|', '|')
const pairs = Array.from(page.matchAll(/`([^`\n]+)` (?:\| |→ )`([^`\n]+)`/g), ([, source = '', gives = '']) => ({ source, gives }))
const shown = functionGroups.flatMap((group) => group.functions.flatMap((one) => one.examples))

describe('expressions.md', () => {
  test('shows every function, and more', () => {
    for (const { source } of shown) expect(pairs.map((one) => one.source)).toContain(source)
    expect(pairs.length).toBeGreaterThan(shown.length + 15)
  })

  test.each(pairs)('$source gives $gives', ({ source, gives }) => {
    expect(given(source)).toEqual(gives.startsWith('(') ? gives : given(gives))
  })
})

test.each([
  ['explain', 'lifecycle'],
  ['destroy', '--help'],
])('`%s %s` says what a retained object keeps with it', async (...words) => {
  const { stdout } = await runCli(words, { folder: newFolder() })
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('with all that it needs, such as the server that a disk is attached to, which goes on costing')
})
