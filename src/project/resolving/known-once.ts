// Values that only the making of an object answers, within texts: what stands for them, and where they may stand.
import { createHash } from 'node:crypto'
import { readToken, tokenText } from '../../base/token.ts'
import type { Named } from '../../expressions/expression.ts'
import { askedForKeys, descendants } from '../../expressions/tree.ts'
import type { ResourceNode } from '../../expressions/tree.ts'
import type { Value } from '../../expressions/value.ts'
import type { Scope } from './declared.ts'
import type { Names } from './names.ts'
import type { Template } from './templates.ts'

export interface Once {
  readonly token: string
  readonly known: boolean
}

/** The origin of a text that is made from values known once: the first one's, and what stands around it. */
export function onceToken(seen: readonly Once[], text: () => string, { digest }: Pick<Scope, 'digest'>): string {
  const [first] = seen
  const token = readToken(first?.token)
  if (token?.is !== 'once' || token.id === '') return first?.token ?? ''
  const around = createHash('sha256')
    .update(digest([text(), ...seen.map((one) => one.token)]))
    .digest('hex')
    .slice(0, 16)
  return tokenText({ ...token, output: `${token.output} ${around}` })
}

const memberHint = 'write the expression in the member itself'
const fieldsHint = '`iac explain` says of each field of a kind whether it does, such as data of a K3sSecret and cloud_init of an Instance'

/** Where a text stands: `isShown` in a field of which reads may tell, `textOf` gives what is known when loading. */
interface Standing {
  readonly isShown: boolean
  readonly names: Pick<Names, 'kinds' | 'keysOf'>
  readonly textOf: (named: Named) => string | undefined
}

/** What is wrong with a text that may give a value known once where it stands, and the way out; undefined where nothing is. */
export function misplacedOnce(template: Template, value: Value, standing: Standing): { readonly message: string; readonly hint: string } | undefined {
  if (!standing.isShown && value.kind !== 'list' && value.kind !== 'map') return undefined
  const node = onceIn(template, standing)
  if (!node) return undefined
  const [name] = onceOutputs(node, standing)
  const whole =
    node.path.length === 0 ? `a whole ${node.resourceKind} brings its ${name} along: write behind it the attribute that is meant, such as .id` : undefined
  // Reads show what stands anywhere else, and nothing tells afterwards that it is what was meant.
  if (standing.isShown) return { message: 'a value that is told once stands in fields that hold secrets alone', hint: whole ?? fieldsHint }
  return { message: 'a value that is known once stands in a text, not in a list or map that an expression makes', hint: whole ?? memberHint }
}

/** What asks for an output that only the making of an object answers. The keys of a for_each are none, whatever is in its resources. */
function onceIn({ parts, references }: Template, standing: Standing): ResourceNode | undefined {
  if (!references.some((one) => one.kind === 'resource' && onceOutputs(one, standing).length > 0)) return undefined
  const nodes = parts.flatMap((part) => (part.kind === 'expression' ? descendants(part.expression.root) : []))
  const keys = new Set(nodes.flatMap(askedForKeys))
  return nodes
    .flatMap((node) => (node.op === 'resource' && onceOutputs(node, standing).length > 0 ? [node] : []))
    .find((node) => !(keys.has(node) && isForEach(node, standing)))
}

function isForEach({ resourceKind, name: { constant, node }, key, path }: ResourceNode, { names, textOf }: Standing): boolean {
  const name = constant ?? textOf({ source: '', root: node })
  return !key && path.length === 0 && name !== undefined && names.keysOf(resourceKind, name) !== undefined
}

/** Those that it asks for: of a whole resource nothing tells which part is meant. */
function onceOutputs({ resourceKind, path: [name] }: Pick<ResourceNode, 'resourceKind' | 'path'>, { names }: Standing): readonly string[] {
  const outputs = names.kinds.get(resourceKind)?.outputs ?? {}
  return Object.keys(outputs).filter((one) => outputs[one]?.once === true && (name === undefined || name === one))
}

/** Whether the text is `${Kind['name'].attribute}` and no more. */
export function isBare(template: Pick<Template, 'parts'>): boolean {
  return bareOf(template) !== undefined
}

/** Whether the text is the id of one resource and nothing else, whatever tells its name and key. */
export function givesId(template: Pick<Template, 'parts'>): boolean {
  const path = bareOf(template)?.path ?? []
  return path.length === 1 && path[0] === 'id'
}

function bareOf({ parts }: Pick<Template, 'parts'>): ResourceNode | undefined {
  const [part] = parts
  return parts.length === 1 && part?.kind === 'expression' && part.expression.root.op === 'resource' ? part.expression.root : undefined
}
