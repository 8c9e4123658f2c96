// Whether manifests say what is live: they are loaded and compared as a plan does it, without a call.
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { differences } from '../../engine/model/diff/diff.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { holdsToken } from '../../kinds/definition/token.ts'
import type { Files } from '../../project/files/files.ts'
import { loadProject } from '../../project/load.ts'
import type { Scope } from '../../project/resolving/declared.ts'
import type { LiveThing } from './exported.ts'

/** What the manifests of an export are held against. */
export interface Proof {
  /** The manifests, each on one line. */
  readonly documents: readonly { readonly text: string; readonly address: string }[]
  readonly kinds: readonly AnyKind[]
  readonly workspaceKind: string
  readonly things: ReadonlyMap<string, LiveThing> // by address
  /** Ids of what the project declares beside the export, by address. */
  readonly known: ReadonlyMap<string, string>
  /** What a name means that is looked up. */
  readonly idOf: (kind: string, name: string) => string | undefined
}

/** The addresses whose manifests would be refused or would change something, each with a reason; without an address what is wrong with the whole. */
export function unproven(proof: Proof): ReadonlyMap<string, string> {
  if (proof.things.size === 0) return new Map()
  const { project, diagnostics } = loadProject({
    files: noFiles,
    folder: '/',
    kinds: proof.kinds,
    workspaceKind: proof.workspaceKind,
    environment: null,
    variables: { flags: [], files: [], environment: {} },
    named: { paths: [], stdin: proof.documents.map((one) => one.text).join('\n---\n') },
    sandbox: false,
  })
  const out = new Map<string, string>()
  for (const one of diagnostics) if (one.severity === 'error') out.set(one.address ?? addressAt(proof, one.position?.line) ?? '', one.summary)
  for (const { address, kind, resolve, importId } of project?.resources ?? []) {
    const thing = proof.things.get(address)
    const problem = thing ? problemOf(kind, thing, resolve(scopeOf(proof))) : 'it is not what was exported'
    if (problem !== undefined || importId !== thing?.id) out.set(address, problem ?? 'it would take over something else')
  }
  return out
}

/** Of which manifest a line is, where what is wrong keeps it from being read as one; markers stand between them. */
function addressAt({ documents }: Proof, line = 0): string | undefined {
  return documents[(line - 1) / 2]?.address
}

function problemOf(kind: AnyKind, { seen }: LiveThing, resolved: { readonly spec: JsonObject; readonly problems: readonly Diagnostic[] }): string | undefined {
  const [problem] = resolved.problems
  if (problem) return problem.summary
  const desired = Object.fromEntries(Object.entries(resolved.spec).filter(([, value]) => !holdsToken(value)))
  const found = differences(kind, { desired, recorded: {}, seen, uncertain: [], strays: {}, imported: true }).filter((one) => one.effect !== 'note')
  return found.length === 0 ? undefined : `${found.map((one) => one.field).join(', ')} would change`
}

/** What others are, as far as the export or the project tells. */
function scopeOf({ things, known, idOf }: Proof): Scope {
  const unknown = { is: 'unknown', sensitive: false } as const
  const is = (value: JsonValue | undefined) =>
    value === undefined || value === null || holdsToken(value) ? unknown : ({ is: 'known', value, sensitive: false } as const)
  return {
    attribute(address, path) {
      const [name, more] = path
      const thing = things.get(address)
      if (more !== undefined || typeof name !== 'string') return unknown
      if (name === 'id') return is(thing?.id ?? known.get(address))
      return is(thing?.outputs[name] ?? thing?.seen[name])
    },
    lookup(kind, name) {
      const id = idOf(kind, name)
      return id === undefined ? { unknown: true } : { id, attributes: { id } }
    },
    digest: () => 'none',
  }
}

const noFiles: Files = {
  *list() {
    yield
    return { files: [], outside: [] }
  },
  read: () => ({ problem: 'it does not exist' }),
  kindOf: () => undefined,
}
