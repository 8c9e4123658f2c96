// Every field of every schema says what it is, so that editors and the documents can show it.
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../src/base/json.ts'
import { isObject } from '../../src/base/json.ts'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'

interface Field {
  readonly path: string
  readonly text: string
}

/** The fields of a JSON Schema, below lists, maps, alternatives and definitions too. */
function fieldsOf(schema: JsonValue | undefined, path: string): Field[] {
  if (Array.isArray(schema)) return schema.flatMap((one: JsonValue) => fieldsOf(one, path))
  if (schema === undefined || !isObject(schema)) return []
  return Object.entries(schema).flatMap(([word, below]) => {
    // What stands there only says when something else holds.
    if (word === 'if' || word === 'then') return []
    if (!isObject(below) || (word !== 'properties' && word !== 'definitions')) return fieldsOf(below, path)
    return Object.entries(below).flatMap(([name, one]) => {
      const at = `${path}/${name}`
      return [...(word === 'properties' ? [{ path: at, text: textOf(one) }] : []), ...fieldsOf(one, at)]
    })
  })
}

function textOf(schema: JsonValue): string {
  const text = isObject(schema) ? schema['description'] : undefined
  return typeof text === 'string' ? text : ''
}

const all = Object.entries(allSchemas(kinds)).map(([name, schema]) => ({ name, fields: fieldsOf(schema, '') }))

describe('the fields of', () => {
  test.each(all)('$name say what they are', ({ fields }) => {
    expect(fields.filter((one) => one.text === '').map((one) => one.path)).toEqual([])
  })

  test('the schemas are found below everything that nests', () => {
    const paths = new Set(all.flatMap(({ name, fields }) => fields.map((one) => `${name}${one.path}`)))
    for (const path of [
      'manifest.schema.json/metadata/lifecycle/ignore_changes',
      'manifest.schema.json/Instance/storage/size_bytes',
      'project.schema.json/environments/state/path',
      'plan.schema.json/changes/patch/op',
      'stream.schema.json/hook/resource/addr',
    ])
      expect(paths).toContain(path)
    expect(paths.size).toBeGreaterThan(400)
  })

  test('a text is one line that begins small and does not end with a full stop', () => {
    const wrong = all.flatMap(({ name, fields }) =>
      fields.filter(({ text }) => /\n|\.$|^[A-Z][a-z]+ /.test(text)).map((one) => `${name}${one.path}: ${one.text}`),
    )
    expect(wrong).toEqual([])
  })
})
