// What stands under schemas/ is what the sources give, and fits what commands print.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { machineShapes } from '../../src/cli/documents/machine-shapes.ts'
import { manifestFileSchema } from '../../src/cli/documents/json-schema.ts'
import { generatedFiles } from '../../src/cli/generate.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { newFolder, runCli } from './run-cli.ts'

describe('what is generated', () => {
  test('is up to date: else run npm run generate', async () => {
    const files = await generatedFiles()
    expect(Object.keys(files).length).toBeGreaterThan(10)
    const stale = Object.entries(files).filter(([name, text]) => readFileSync(join(import.meta.dirname, '../../schemas', name), 'utf8') !== text)
    expect(stale.map(([name]) => name)).toEqual([])
  })

  test('has a schema of every managed kind, references and expressions in it', () => {
    const schema = manifestFileSchema(kinds)
    expect(schema).toMatchObject({ properties: { kind: { enum: kinds.filter((kind) => kind.managed).map((kind) => kind.name) } } })
    const text = JSON.stringify(schema)
    expect(schema).toMatchObject({
      definitions: { Instance: { properties: { plan: { anyOf: [{ type: 'string' }, { type: 'integer' }, { required: ['id'] }, { required: ['name'] }] } } } },
    })
    expect(schema).toMatchObject({
      definitions: { Instance: { properties: { cpu: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '\\$\\{' }] } } } },
    })
    expect(schema).toMatchObject({
      definitions: { Instance: { properties: { memory_bytes: { anyOf: [{ type: 'integer' }, { pattern: '^\\d+[KMGTP]i?B$' }, {}] } } } },
    })
    expect(text).not.toContain('9007199254740991')
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
