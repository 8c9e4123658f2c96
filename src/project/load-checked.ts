// Loading for other programs: what is given is checked first, since a mistake there would look like one of the project.
import { isAbsolute } from 'node:path'
import * as z from 'zod'
import { nearest } from '../base/words/nearest.ts'
import type { Loaded, LoadOptions } from './load.ts'
import { loadProject } from './load.ts'

const work = z.custom((value) => typeof value === 'function', 'expected a function')
const absolute = z.string().refine(isAbsolute, 'expected an absolute path')

const optionForms = z.strictObject({
  files: z.looseObject({ list: work, read: work, kindOf: work }),
  folder: absolute,
  kinds: z.array(z.looseObject({ name: z.string() })),
  workspaceKind: z.string(),
  environment: z.string().nullable(),
  variables: z.looseObject({
    flags: z.array(z.looseObject({ name: z.string(), text: z.string() })),
    files: z.array(z.looseObject({ file: z.string(), text: z.string() })),
    environment: z.looseObject({}),
  }),
  named: z.looseObject({ paths: z.array(z.looseObject({ path: absolute, shown: z.string() })), stdin: z.string().optional() }).optional(),
  sandbox: z.boolean(),
  parsed: z.unknown().optional(),
  limits: z.unknown().optional(),
})

/**
 * Reads, checks and resolves a project as far as nothing needs to be asked; every problem of it at once. Throws a TypeError for options that cannot be.
 * What it gives is for nobody's log: `project.variables` and `secretive.variables` hold the values of sensitive variables in plain text,
 * and the `resolve` of a resource gives its secrets beside the spec that has tokens in their place.
 */
export function loadChecked(options: LoadOptions): Loaded {
  const formed = optionForms.safeParse(options)
  if (!formed.success) throw new TypeError(`no project is loaded with such options: ${z.prettifyError(formed.error)}`)
  const { kinds, workspaceKind } = options
  const names = kinds.map(({ name }) => name)
  if (!names.includes(workspaceKind)) {
    const near = nearest(workspaceKind, names)
    throw new TypeError(`workspaceKind: no kind is called ${workspaceKind}${near === undefined ? '' : `; did you mean ${near}?`}`)
  }
  return loadProject(options)
}
