// Values that only the making of an object answers, within texts: what stands for them, and where they may stand.
import { createHash } from 'node:crypto'
import { readToken, tokenText } from '../../base/token.ts'
import type { ResourceNode } from '../../expressions/tree.ts'
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

export const onceHint = 'write the expression in the member itself'
export const onceFieldsHint = '`iac explain` says of each field of a kind whether it does, such as data of a K3sSecret and cloud_init of an Instance'

/** Whether an expression asks for an output that only the making of an object answers. */
export function holdsOnce({ references }: Pick<Template, 'references'>, names: Pick<Names, 'kinds'>): boolean {
  return references.some((one) => {
    if (one.kind !== 'resource') return false
    const outputs = names.kinds.get(one.resourceKind)?.outputs ?? {}
    const [name] = one.path
    // Of a whole resource nothing tells which part is meant.
    return name === undefined ? Object.values(outputs).some((output) => output.once) : outputs[name]?.once === true
  })
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
