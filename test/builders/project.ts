// A project out of texts: files in memory, loaded with made-up kinds or the real ones.
import { stringifyJson } from '../../src/base/json.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { kinds as realKinds, workspaceKind } from '../../src/kinds/registry.ts'
import type { Files } from '../../src/project/files/files.ts'
import { loadProject } from '../../src/project/load.ts'
import type { Loaded, LoadOptions } from '../../src/project/load.ts'
import type { Attribute, Declared, Project, Scope } from '../../src/project/resolving/declared.ts'

/** Files by absolute path; a text of `fault:…` is a file that cannot be read for that reason. */
export function memoryFiles(texts: Readonly<Record<string, string | Uint8Array>>): Files {
  return {
    // One that lists all at once has nowhere to pause.
    // oxlint-disable-next-line require-yield
    *list(folder, enter) {
      const below = Object.keys(texts)
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1))
      const isEntered = (path: string) =>
        path
          .split('/')
          .slice(0, -1)
          .every((_, at, all) => enter(all.slice(0, at + 1).join('/')))
      return { files: below.filter(isEntered).toSorted(), outside: [] }
    },
    read(path, { root, limitBytes }) {
      const text = texts[path]
      if (root !== undefined && !path.startsWith(`${root}/`)) return { problem: 'it lies outside of the project' }
      if (text === undefined) return { problem: 'it does not exist' }
      if (typeof text === 'string' && text.startsWith('fault:')) return { problem: text.slice(6) }
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
      return bytes.length > limitBytes ? { problem: `it has ${bytes.length} bytes, the limit is ${limitBytes}` } : { bytes }
    },
    kindOf(path) {
      if (Object.hasOwn(texts, path)) return 'file'
      return Object.keys(texts).some((one) => one.startsWith(`${path}/`)) ? 'folder' : undefined
    },
  }
}

/** How `/p` is loaded with the files given by path relative to it; a bare text is `a.yaml`. */
export function optionsFor(texts: string | Readonly<Record<string, string | Uint8Array>>, options: Partial<LoadOptions> = {}): LoadOptions {
  const all = typeof texts === 'string' ? { 'a.yaml': texts } : texts
  const files = memoryFiles(Object.fromEntries(Object.entries(all).map(([path, text]) => [`/p/${path}`, text])))
  const variables = { flags: [], files: [], environment: {} }
  return { files, folder: '/p', kinds: realKinds, workspaceKind, environment: null, variables, named: undefined, sandbox: false, ...options }
}

/** Loads `/p` with the files given by path relative to it; a bare text is `a.yaml`. */
export function load(texts: Parameters<typeof optionsFor>[0], options: Partial<LoadOptions> = {}): Loaded {
  return loadProject(optionsFor(texts, options))
}

/** The project, or an error that holds every diagnostic. */
export function loaded(texts: Parameters<typeof load>[0], options: Partial<LoadOptions> = {}): Project {
  const { project, diagnostics } = load(texts, options)
  if (!project) throw new Error(JSON.stringify(diagnostics, null, 1))
  return project
}

/** The diagnostics of what does not load, as `code line summary`. */
export function mistakes(texts: Parameters<typeof load>[0], options: Partial<LoadOptions> = {}): string[] {
  return load(texts, options).diagnostics.map((one) => `${one.code} ${one.position?.line ?? 0}:${one.position?.column ?? 0} ${one.summary}`)
}

/** A manifest as text. */
export function manifest(kind: string, name: string, spec: string, metadata = ''): string {
  return `---\napiVersion: iac/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${indented(metadata)}spec:\n${spec === '' ? '  {}\n' : indented(spec)}`
}

/** A scope that knows the values given as `Kind/name.attribute` and ids as `Kind/name`; digests are readable. */
export function scopeOf(
  values: Readonly<Record<string, JsonValue>> = {},
  lookups: Readonly<Record<string, string>> = {},
  attributes: Readonly<Record<string, Attribute>> = {},
): Scope {
  return {
    attribute(address, path) {
      const place = `${address}.${path.join('.')}`
      const value = values[place]
      return attributes[place] ?? (value === undefined ? { is: 'unknown', sensitive: false } : { is: 'known', value, sensitive: false })
    },
    lookup(kind, name) {
      const id = lookups[`${kind}/${name}`]
      return id === undefined ? { problem: `no ${kind} named ${name}` } : { id, attributes: { name } }
    },
    digest: (value) => `hmac-sha256:${stringifyJson(value)}`,
  }
}

/** One resource of a project by its address. */
export function resource(project: Project, address: string): Declared {
  const found = project.resources.find((one) => one.address === address)
  if (!found) throw new Error(`no ${address} among ${project.resources.map((one) => one.address).join(', ')}`)
  return found
}

function indented(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => `  ${line}\n`).join('')
}
