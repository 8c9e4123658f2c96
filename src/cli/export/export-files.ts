// Which file each manifest of an export stands in, and the lines for iac.yaml.
import type { Exported, ExportedManifest } from './export-manifests.ts'
import type { AskedVariable, LiveThing } from './exported.ts'
import { keyOf } from './exported.ts'
import { slug } from './logical-names.ts'

/** Files by name, each with the manifests in it. */
export type ExportFiles = ReadonlyMap<string, string>

/** How manifests are laid out: a file for each kind, or one for each object with all that hangs on it. */
export type Layout = 'kind' | 'group'

/** The texts of the files, in the order of the kinds. */
export function exportFiles({ manifests }: Pick<Exported, 'manifests'>, layout: Layout): ExportFiles {
  const files = new Map<string, string[]>()
  const ownerOf = owners(manifests)
  for (const one of manifests) {
    const file = layout === 'kind' ? `${kindOf(one).plural}.yaml` : groupFile(one, ownerOf)
    files.set(file, [...(files.get(file) ?? []), one.text])
  }
  return new Map([...files].map(([file, texts]) => [file, texts.join('---\n')]))
}

function kindOf({ addresses }: ExportedManifest): LiveThing['kind'] {
  const [first] = addresses
  if (!first) throw new Error('a manifest of nothing')
  return first[0].thing.kind
}

/** The manifest that each one hangs on: below which it is listed, or with which it ends. */
function owners(manifests: readonly ExportedManifest[]): (one: ExportedManifest) => ExportedManifest | undefined {
  const holding = new Map(manifests.flatMap((one) => one.addresses.map(([{ thing }]) => [keyOf(thing), one] as const)))
  return ({ addresses }) => {
    const [first] = addresses
    const kind = first?.[0].thing.kind
    const fields = kind?.referenceFields.filter(({ field, endsWith }) => endsWith || field === kind.parentField || kind.fields[field]?.declarer === true) ?? []
    for (const { field } of fields) {
      const value = first?.[0].fields.get(field)
      const owner = value?.is === 'reference' && 'to' in value.target ? holding.get(keyOf(value.target.to)) : undefined
      if (owner) return owner
    }
    return undefined
  }
}

/** What hangs on nothing, and has nothing hanging on it, stands with its like of the API's document. */
function groupFile(one: ExportedManifest, ownerOf: (one: ExportedManifest) => ExportedManifest | undefined): string {
  const above = [one]
  for (let at = ownerOf(one); at && !above.includes(at); at = ownerOf(at)) above.push(at)
  const root = above.at(-1) ?? one
  const { name, scope, section } = kindOf(root)
  const isRoot = root !== one || scope === 'parent'
  return `${isRoot ? slug(`${name.toLowerCase()}-${root.manifest.name}`, '') : slug(section.toLowerCase(), '')}.yaml`
}

/** The lines of iac.yaml that declare what the manifests ask for; '' where they ask for nothing. */
export function variableLines(variables: readonly AskedVariable[]): string {
  if (variables.length === 0) return ''
  const lines = variables.map(({ name, type, sensitive, about }) => {
    const description = JSON.stringify(about)
    return `  ${name}: { type: ${type}, ${sensitive ? 'sensitive: true, ' : ''}description: ${description} }\n`
  })
  return `variables:\n${lines.join('')}`
}
