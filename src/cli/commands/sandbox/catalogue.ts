// The catalogue of a sandbox from a YAML file: what it offers beyond its seed.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic, Failure } from '../../../base/diagnostic.ts'
import { parseJson, stringifyJson } from '../../../base/json.ts'
import { pointerOf } from '../../../base/pointer.ts'
import { nodeFiles } from '../../../project/files/node-files.ts'
import { issuesOf } from '../../../project/findings/issues.ts'
import { createSource } from '../../../project/findings/source.ts'
import { readYamlInTurns } from '../../../project/yaml/documents.ts'
import type { Catalogue } from '../../../sandbox/seed/catalogue-schema.ts'
import { catalogueSchema } from '../../../sandbox/seed/catalogue-schema.ts'
import type { Context } from '../../context/context.ts'
import { textOfFile } from '../../context/given-text.ts'
import { readingInTurns } from '../../surroundings/taking-turns.ts'

const NAME = 'catalogue.yaml'

/** The catalogue that stands beside a seed: in its folder, or in the folder of its file; paths are relative to the working folder. */
export function besideSeed(workingFolder: string, seed: string): string | undefined {
  const folder = nodeFiles.kindOf(resolve(workingFolder, seed)) === 'folder' ? seed : dirname(seed)
  const path = join(folder, NAME)
  return existsSync(resolve(workingFolder, path)) ? path : undefined
}

/** Reads a file; throws a Failure that says where it is wrong. */
export async function readCatalogue(context: Pick<Context, 'folder' | 'surroundings' | 'files'>, path: string): Promise<Catalogue> {
  const source = createSource(path, textOfFile(path, context))
  const { documents, problems } = await readingInTurns(({ whole }) => readYamlInTurns(source, { all: true, meter: whole }), context.surroundings)
  const errors = problems.filter((one) => one.severity === 'error')
  if (errors.length > 0) throw new Failure(3, errors)
  const [document] = documents
  const value = parseJson(stringifyJson(document?.value ?? {}))
  const mistakes = issuesOf(catalogueSchema, value).issues.map(({ code, summary, path: at, key, hint }): Diagnostic => {
    const position = document ? { position: document.position(pointerOf(at), { key }) } : {}
    return diagnostic(code, summary, { ...position, ...(hint === undefined ? {} : { hint }) })
  })
  if (mistakes.length > 0) throw new Failure(3, mistakes)
  return catalogueSchema.parse(value)
}
