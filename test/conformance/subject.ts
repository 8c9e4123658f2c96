// One example of a kind as the project that the walk changes step by step.
import { parseJson, stringifyJson } from '../../src/base/json.ts'
import type { JsonValue } from '../../src/base/json.ts'
import type { AnyKind, Example } from '../../src/kinds/definition/kind.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { wantedView } from '../builders/wanted-view.ts'

export interface Subject {
  readonly title: string
  readonly kind: AnyKind
  readonly example: Example
  readonly address: string
  readonly variables: Readonly<Record<string, string>>
  /** Whether operators alone can make it. */
  readonly staff: boolean
  /** A value of the example or its changes with the variables filled in. */
  filled(value: unknown): JsonValue
  /** The project's files: what stands beside it, and the subject with its changes. */
  texts(change?: Change): Readonly<Record<string, string>>
  /** The project without the subject. */
  readonly beside: Readonly<Record<string, string>>
}

/** What differs from the example; undefined takes a field out. */
export interface Change {
  readonly spec?: Readonly<Record<string, unknown>>
  readonly lifecycle?: Readonly<Record<string, unknown>>
}

/** Every example of every managed kind. */
export const subjects: readonly Subject[] = kinds.filter((kind) => kind.managed).flatMap((kind) => kind.examples.map((example) => subjectOf(kind, example)))

/** An example of a kind as a project. */
export function subjectOf(kind: AnyKind, example: Example): Subject {
  const names = [...new Set([...stringifyJson(jsonOf(example)).matchAll(/\$\{vars\.(\w+)\}/g)].flatMap((match) => match[1] ?? []))]
  const declared = Object.fromEntries(names.map((name) => [name, { type: 'string', sensitive: true }]))
  const project = stringifyJson({ apiVersion: 'iac/v1', kind: 'Project', name: 'conformance', variables: declared })
  const variables = Object.fromEntries(names.map((name) => [name, `value of ${name}`]))
  const others = (example.beside ?? []).map((one) => manifest(one.kind, one.name, { spec: one.spec }))
  return {
    title: `${kind.name}: ${example.title}`,
    kind,
    example,
    address: `${kind.name}/subject`,
    variables,
    staff: needsStaff(kind, example),
    filled: (value) => parseJson(stringifyJson(jsonOf(value)).replaceAll(/\$\{vars\.(\w+)\}/g, (_, name: string) => variables[name] ?? '')),
    texts: ({ spec = {}, lifecycle = {} } = {}) => ({
      'iac.yaml': project,
      'main.yaml': [...others, manifest(kind.name, 'subject', { ...example, spec: { ...example.spec, ...spec }, lifecycle })].join('\n'),
    }),
    beside: { 'iac.yaml': project, 'main.yaml': others.join('\n') },
  }
}

/** Whether a call that makes it is for operators alone. */
function needsStaff(kind: AnyKind, { spec, workspace }: Example): boolean {
  return kind
    .steps(wantedView(kind, { desired: { ...kind.defaults, ...spec }, workspaceId: workspace === null ? '' : '9' }))
    .some(({ call }) => call.route.access === 'staff')
}

function manifest(kind: string, name: string, { spec, workspace, lifecycle = {} }: Pick<Example, 'spec' | 'workspace'> & Pick<Change, 'lifecycle'>): string {
  return `---\n${stringifyJson(jsonOf({ apiVersion: 'iac/v1', kind, metadata: { name, workspace, lifecycle }, spec }), 2)}`
}

/** Plain data, with what is undefined left out. */
function jsonOf(value: unknown) {
  return JSON.parse(JSON.stringify(value))
}
