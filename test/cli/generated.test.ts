// What stands under schemas/ is what the sources give, and fits what commands print.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { commandTable } from '../../src/cli/command-table.ts'
import { manifestFileSchema, projectFileSchema } from '../../src/cli/documents/json-schema.ts'
import { forgeExamples, generatedFiles, releaseManual } from '../../src/cli/generate.ts'
import { machineShapes } from '../../src/cli/render/machine-shapes.ts'
import { productionLike, smallTeam } from '../../src/cli/sandbox/preset-manifests.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import { newFolder, runCli } from './run-cli.ts'

const [manifests, projects] = [manifestFileSchema(kinds), projectFileSchema()]
const root = join(import.meta.dirname, '../..')

/** Every document of ours in the YAML files below a folder. */
function documentsBelow(folder: string): readonly (readonly [string, unknown])[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name))
  return files.flatMap((name) => documentsIn(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')))
}

function documentsIn(name: string, text: string): readonly (readonly [string, unknown])[] {
  const documents: unknown[] = parseAllDocuments(text).map((one) => one.toJS())
  return documents.filter((one) => JSON.stringify(one)?.includes('"apiVersion":"iac/v1"')).map((one, at) => [`${name} ${at}`, one] as const)
}

describe('what is generated', () => {
  test('is up to date: else run npm run generate', async () => {
    const below = (folder: string, files: Readonly<Record<string, string>>) => Object.entries(files).map(([name, text]) => [join(folder, name), text] as const)
    const files = [...below('schemas', await generatedFiles()), ...below('examples/ci', forgeExamples())]
    expect(files.length).toBeGreaterThan(10)
    const stale = files.filter(([name, text]) => readFileSync(join(root, name), 'utf8') !== text)
    expect(stale.map(([name]) => name)).toEqual([])
  })

  test('has a schema of every managed kind, references and expressions in it', () => {
    const schema = manifestFileSchema(kinds)
    expect(schema).toMatchObject({ properties: { kind: { enum: kinds.filter((kind) => kind.managed).map((kind) => kind.name) } } })
    const text = JSON.stringify(schema)
    expect(schema).toMatchObject({
      definitions: {
        Instance: {
          properties: { plan: { anyOf: [{ type: 'string' }, { type: 'integer' }, { required: ['id'] }, { required: ['name'] }, { type: 'null' }] } },
        },
      },
    })
    expect(schema).toMatchObject({
      definitions: { Instance: { properties: { cpu: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '\\$\\{' }, {}] } } } },
    })
    expect(schema).toMatchObject({
      definitions: { Instance: { properties: { memory_bytes: { anyOf: [{ type: 'integer' }, { pattern: '^\\d+(?:[KMGTP]i?)?B$' }, {}, {}] } } } },
    })
    expect(text).not.toContain('9007199254740991')
  })

  test.each([...documentsBelow('examples'), ...documentsIn('small-team', smallTeam), ...documentsIn('production-like', productionLike)])(
    'accepts %s',
    (name, document) => {
      expect(schemaProblems(name.includes('iac.yaml') ? projects : manifests, document)).toEqual([])
    },
  )

  test.each(Object.keys(commandTable))('says of the flags of %s what its help says', async (name) => {
    const page = readFileSync(join(root, 'schemas/reference/commands.md'), 'utf8')
    const section = page.split(/^## /m).find((one) => one.startsWith(`iac ${name}\n`)) ?? ''
    const help = (await runCli([...name.split(' '), '--help'], { folder: root })).stdout.replaceAll(/\s+/g, ' ')
    const rows = Array.from(section.matchAll(/^\| `(-[^`]+)` \| (.*) \|$/gm), ([, flag = '', about = '']) => `${flag} ${about}`.replaceAll('\\|', '|'))
    expect(rows.filter((row) => !help.includes(row))).toEqual([])
    expect(help).not.toMatch(/repeatable[^-]*\(repeatable\)/)
  })

  test('lists what a flag may be', () => {
    const page = readFileSync(join(root, 'schemas/reference/commands.md'), 'utf8')
    for (const row of [
      '| `-o, --output <FORMAT>` | how it is shown: chart, csv, json |',
      '| `-o, --output <FORM>` | the form (default table): table, csv, json |',
    ])
      expect(page).toContain(row)
  })

  test('has schemas that refuse what is wrong', () => {
    const rule = { apiVersion: 'iac/v1', kind: 'FirewallRule', metadata: { name: 'x' } }
    const spec = { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', port_start: 22 }
    expect(schemaProblems(manifests, { ...rule, spec: { ...spec, instance: ['web', { id: '12' }] } })).toEqual([])
    expect(schemaProblems(manifests, { ...rule, spec: { ...spec, instance: [['web']] } })).not.toEqual([])
    expect(schemaProblems(manifests, { ...rule, kind: 'K3sNode', spec: { instance: 'web' } })).toEqual([])
    expect(schemaProblems(manifests, { ...rule, kind: 'K3sNode', spec: { instance: ['web'] } })).not.toEqual([])
    expect(schemaProblems(projects, { apiVersion: 'iac/v1', kind: 'Project', nam: 'x' })).not.toEqual([])
  })

  test('fits what commands print', async () => {
    const folder = newFolder()
    await runCli(['init'], { folder })
    const json = async (...words: string[]): Promise<unknown> => JSON.parse((await runCli([...words, '--json', '--sandbox'], { folder })).stdout)
    const stream = (await runCli(['apply', '--sandbox', '--auto-approve', '--json'], { folder })).stdout.trimEnd().split('\n')
    for (const line of stream) machineShapes.stream.schema.parse(JSON.parse(line))
    machineShapes.validate.schema.parse(await json('validate'))
    machineShapes.drift.schema.parse(await json('drift'))
    machineShapes.output.schema.parse(await json('output'))
    expect(machineShapes['state-list'].schema.parse(await json('state', 'list'))).toHaveLength(1)
  })
})

// By own rules, and by the checks of groff and mandoc where they are installed.
describe('the manual', () => {
  let pages: Readonly<Record<string, string>> = {}
  beforeAll(async () => void (pages = await releaseManual({ version: '1.2.3', day: '2026-11-25' })))
  const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  const files = (): readonly string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'iac-man-'))
    return Object.entries(pages).map(([name, text]) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    })
  }

  test('there is one for the program and for each command', () => {
    expect(Object.keys(pages).toSorted()).toEqual(['iac.1', ...Object.keys(commandTable).map((name) => `iac-${name.replaceAll(' ', '-')}.1`)].toSorted())
  })

  test('they hold nothing but ASCII and the requests that are meant', () => {
    const odd = Object.entries(pages).flatMap(([name, text]) =>
      text.split('\n').flatMap((line, at) => (/^(?:\.(?:TH|SH|TP|B|I|BR|RI|PP)\b|[^.'])?[\x20-\x7e]*$/.test(line) ? [] : [`${name}:${at + 1}: ${line}`])),
    )
    expect(odd).toEqual([])
  })

  test.skipIf(!isThere('groff'))('groff has no warning', () => {
    expect(execFileSync('sh', ['-c', 'groff -man -ww -z "$@" 2>&1', '-', ...files()], { encoding: 'utf8' })).toBe('')
  })

  test.skipIf(!isThere('mandoc'))('mandoc -T lint has nothing to say', () => {
    // Without an operating system's own conventions.
    expect(spawnSync('mandoc', ['-T', 'lint', '-W', 'style', ...files()], { encoding: 'utf8' }).stdout).toBe('')
  })
})
