// Writes loops over the members of objects as loops over indexes: V8 makes up to five objects a member for the clearer ones, until it optimises them.
import { parseAst } from 'rolldown/parseAst'

/** Methods of lists that give a callback one item first, and those of them that give the same items. */
const asking = new Set(['every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'some'])
const sifting = new Set(['filter', 'toSorted'])

/**
 * A script that walks what `Object.entries`, `keys` and `values` give without an iterator, for its members and for the two parts of a pair: these
 * are surely plain lists. Whatever else it walks stays as it is, since it may be none.
 */
export function withoutIterators(script) {
  if (/\b(?:class|const|function|let|var) Object\b/.test(script)) throw new Error('the script has an Object of its own')
  const edits = []
  for (const node of descendants(parseAst(script))) {
    if (node.type === 'ForOfStatement' && (isListing(node.right) || holdsPairs(node.right))) edits.push(...loopOf(node, edits.length, script))
    if (node.type === 'CallExpression' && isNamed(node.callee, asking) && holdsPairs(node.callee.object)) {
      const [pair] = node.arguments[0]?.params ?? []
      edits.push(...partsOf(pair, script))
    }
  }
  return edited(script, 0, script.length, edits)
}

/** A tree's nodes, each before what is in it. */
function descendants(tree) {
  const nodes = []
  const open = [tree]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    if (typeof one.type === 'string') nodes.push(one)
    open.push(...Object.values(one).toReversed())
  }
  return nodes
}

function isNamed(callee, names) {
  return callee.type === 'MemberExpression' && !callee.computed && names.has(callee.property.name)
}

function isListing({ type, callee }, names = new Set(['entries', 'keys', 'values'])) {
  return type === 'CallExpression' && isNamed(callee, names) && callee.object.name === 'Object'
}

function holdsPairs(node) {
  if (isListing(node, new Set(['entries']))) return true
  return node.type === 'CallExpression' && isNamed(node.callee, sifting) && holdsPairs(node.callee.object)
}

/** The list is made once, before the first turn; what a turn declares is declared in its body, so that each has its own. */
function loopOf({ start, end, left, right, body }, number, script) {
  const [declared] = left.declarations ?? []
  if (!declared) return []
  const [list, at] = [`list$${number}`, `at$${number}`]
  const { id } = declared
  const item = edited(script, id.start, id.end, holdsPairs(right) ? partsOf(id, script) : [])
  return [
    { from: start, to: right.start, text: `for(let ${list}=` },
    { from: right.end, to: body.start, text: `,${at}=0;${at}<${list}.length;${at}++){${left.kind} ${item}=${list}[${at}];` },
    { from: end, to: end, text: '}' },
  ]
}

/** `[key, value]` as `{0:key, 1:value}`, which asks the pair for its parts by their indexes. */
function partsOf(pattern, script) {
  if (pattern?.type !== 'ArrayPattern' || pattern.elements.some((part) => part?.type === 'RestElement')) return []
  const parts = pattern.elements.flatMap((part, at) => (part ? [`${at}:${script.slice(part.start, part.end)}`] : []))
  return [{ from: pattern.start, to: pattern.end, text: `{${parts.join(',')}}` }]
}

/** A part of a script, with edits that do not overlap. */
function edited(script, start, end, edits) {
  let [text, at] = ['', start]
  for (const edit of edits.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (edit.from < at) throw new Error('a loop stands where another is written anew')
    text += script.slice(at, edit.from) + edit.text
    at = edit.to
  }
  return text + script.slice(at, end)
}
