// Kinds: one registry that equals the folder, no casts, and nothing outside that names one.
import { resolveImport } from './import-rules.ts'
import type { SourceFile } from './source-file.ts'

const REGISTRY = 'src/kinds/registry.ts'
// The sandbox and the routes know no kinds, and have words of the API that are spelt alike.
const NAMELESS = /^src\/(?!kinds\/|sandbox\/|api\/routes\/)/

/** Kinds that the registry does not list, and names in its list that no file in the folder defines. */
export function registryProblems(files: readonly SourceFile[]): string[] {
  const registry = files.find(({ path }) => path === REGISTRY)
  const definers = files.filter(({ path, kinds }) => path.startsWith('src/kinds/') && !path.endsWith('.test.ts') && kinds.length > 0)
  if (!registry) return definers.length > 0 ? [`${REGISTRY}: is missing`] : []
  const importedFrom = new Map(registry.imports.flatMap(({ text, names }) => names.map((name) => [name, resolveImport(REGISTRY, text)])))
  const constants = definers.flatMap(({ path, kinds }) => kinds.map(({ constant }) => ({ path, constant })))
  const missing = constants.filter(({ path, constant }) => !registry.listed.includes(constant) || importedFrom.get(constant) !== path)
  const foreign = registry.listed.filter((name) => !constants.some(({ constant }) => constant === name))
  const twice = registry.listed.filter((name, index) => registry.listed.indexOf(name) !== index)
  return [
    ...missing.map(({ path, constant }) => `${REGISTRY}: lacks ${constant} of ${path}`),
    ...foreign.map((name) => `${REGISTRY}: lists ${name}, which no file beside it defines`),
    ...twice.map((name) => `${REGISTRY}: lists ${name} twice`),
  ]
}

/** Kinds' names where the list is handed on, and marks are asked for; help may show one in an example, in the middle of a text. */
export function kindNameProblems(files: readonly SourceFile[]): string[] {
  const kindNames = new Set(files.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)))
  const kindFiles = new Set(files.filter(({ path, kinds }) => path.startsWith('src/kinds/') && kinds.length > 0).map(({ path }) => path))
  const problems: string[] = []
  for (const file of files) {
    if (!NAMELESS.test(file.path) || file.path.endsWith('.test.ts')) continue
    const strings = file.strings.filter(({ text }) => kindNames.has(text.split(/[/ ]/, 1)[0] ?? ''))
    const names = file.names.filter(({ text }) => kindNames.has(text))
    const imports = file.imports.filter(({ text }) => kindFiles.has(resolveImport(file.path, text)))
    for (const { text, line } of [...strings, ...names, ...imports]) problems.push(`${file.path}:${line}: names a kind: ${text}`)
  }
  return problems
}

/** Casts in src/kinds. */
export function castProblems(file: SourceFile): string[] {
  if (!file.path.startsWith('src/kinds/') || file.path.endsWith('.test.ts')) return []
  return file.casts.map(({ text, line }) => `${file.path}:${line}: a cast: ${text}`)
}
