// Everything under schemas/ that is made from the sources, for `npm run generate` and its check.
import { stringifyJson } from '../base/json.ts'
import { kinds } from '../kinds/registry.ts'
import { commandTable } from './command-table.ts'
import { allSchemas } from './documents/json-schema.ts'
import { referencePages } from './documents/reference.ts'

/** Texts by path below schemas/. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  const commands = Object.fromEntries(await Promise.all(Object.entries(commandTable).map(async ([name, entry]) => [name, await entry.load()] as const)))
  const schemas = Object.entries(allSchemas(kinds)).map(([name, schema]) => [name, `${stringifyJson(schema, 2)}\n`] as const)
  const pages = Object.entries(referencePages(kinds, commands)).map(([name, text]) => [`reference/${name}`, text] as const)
  return Object.fromEntries([...schemas, ...pages])
}
