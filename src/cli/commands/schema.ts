// `iac schema [KIND]`: the JSON Schema of manifests, of one kind's spec, or of a file.
import { failure } from '../../base/diagnostic.ts'
import { nearest } from '../../base/words/nearest.ts'
import { kinds } from '../../kinds/registry.ts'
import { findKind } from '../arguments/find-kind.ts'
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import { allSchemas, specSchema } from '../documents/json-schema.ts'

export const schemaCommand = defineCommand({
  summary: 'the JSON Schema of manifests and files',
  about: 'Prints the JSON Schema of manifests; with a kind that of its spec; with project, plan or state that of the file.',
  arguments: [{ name: 'KIND', about: 'a kind, or project, manifest, plan, state and the other files', optional: true }],
  flags: {},
  idle: ['dir', 'json', ...idleFlags.withoutProject],
  examples: [
    { text: 'schema > schemas/manifest.schema.json', about: 'for an editor' },
    { text: 'schema Instance', about: 'the spec of one kind' },
  ],
  async run({ print }, given) {
    const [word = 'manifest'] = given.arguments
    const schemas = allSchemas(kinds)
    const file = `${word}.schema.json`
    // Plan is a kind, plan a file; other kinds in any case.
    const kind = kinds.find((one) => one.name === word) ?? (Object.hasOwn(schemas, file) ? undefined : findKind(word))
    const schema = kind
      ? { $schema: 'http://json-schema.org/draft-07/schema#', title: kind.about, ...specSchema(kind) }
      : Object.hasOwn(schemas, file)
        ? schemas[file]
        : undefined
    if (!schema) {
      const words = [...kinds.map((one) => one.name), ...Object.keys(schemas).map((name) => name.replace('.schema.json', ''))]
      const near = nearest(word, words)
      throw failure('unknown_kind', `there is no schema of ${word}`, { hint: near === undefined ? `known: ${words.join(', ')}` : `did you mean ${near}?` })
    }
    print.json(schema)
    return 0
  },
})
