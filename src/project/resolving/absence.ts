// Whether something sensitive decides that a value is not there: an absent field shows in every plan and in the state.
import { evaluate } from '../../expressions/evaluate.ts'
import type { Scope } from '../../expressions/evaluate.ts'
import type { TemplatePart } from '../../expressions/template.ts'
import type { Node } from '../../expressions/tree.ts'
import { holdsSensitive } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'

/** What is said of it, and the way out. */
export const absenceHint = "let a value that is not sensitive decide, or write another value for null, such as ''"

/** Whether a null in the value was chosen by something sensitive. A variable or member that is null itself tells no more than that. */
export function hidesAbsence({ parts }: { readonly parts: readonly TemplatePart[] }, value: Value, scope: () => Scope): boolean {
  if (!holdsSensitive(value) || !holdsSensitiveNull(value)) return false
  const tells = (node: Node) => {
    const found = evaluate({ source: '', root: node }, scope())
    return !found.ok || holdsSensitive(found.value)
  }
  return parts.some((part) => part.kind === 'expression' && !takesOver(part.expression.root, tells))
}

function holdsSensitiveNull(value: Value): boolean {
  if (value.kind === 'list') return value.items.some(holdsSensitiveNull)
  if (value.kind === 'map') return [...value.entries.values()].some(holdsSensitiveNull)
  return value.kind === 'scalar' && value.sensitive && value.scalar === null
}

/** Whether an expression gives values as they stand elsewhere, chosen by nothing that `tells` of something sensitive. */
function takesOver(node: Node, tells: (node: Node) => boolean): boolean {
  switch (node.op) {
    case 'literal':
    case 'vars':
    case 'each':
    case 'resource':
    case 'lookup':
      return true
    case 'select':
      return takesOver(node.target, tells)
    case 'index':
      return takesOver(node.target, tells) && !tells(node.index)
    case 'list':
      return node.items.every((item) => takesOver(item, tells))
    case 'map':
      return node.entries.every(([, member]) => takesOver(member, tells))
    case 'conditional':
      return takesOver(node.yes, tells) && takesOver(node.no, tells) && !tells(node.test)
    default:
      return node.op === 'call' && node.name === 'sensitive' && node.args.every((arg) => takesOver(arg, tells))
  }
}
