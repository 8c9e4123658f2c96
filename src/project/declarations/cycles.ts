// Finds circles of dependencies, each once, in linear time and without recursion.

/** For each strongly connected part of the graph one circle in order, beginning with its first address; a node on itself counts. */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  return components(edges)
    .filter((part) => part.length > 1)
    .map((part) => circleIn(part, edges))
}

interface Visit {
  readonly node: string
  readonly next: Iterator<string>
}

/** Tarjan's algorithm with a stack of its own. */
function components(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const onStack = new Set<string>()
  const stack: string[] = []
  const enter = (node: string): Visit => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    stack.push(node)
    onStack.add(node)
    return { node, next: (edges.get(node) ?? []).values() }
  }
  const lower = (node: string, to: number | undefined) => low.set(node, Math.min(low.get(node) ?? 0, to ?? 0))
  // What leads nowhere is in no circle.
  const leads = (node: string): boolean => (edges.get(node)?.length ?? 0) > 0
  for (const start of edges.keys()) {
    if (order.has(start) || !leads(start)) continue
    const visits = [enter(start)]
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const step = visit.next.next()
      if (step.done !== true) {
        if (!leads(step.value)) continue
        if (!order.has(step.value)) visits.push(enter(step.value))
        else if (onStack.has(step.value)) lower(visit.node, order.get(step.value))
        continue
      }
      visits.pop()
      const parent = visits.at(-1)
      if (parent) lower(parent.node, low.get(visit.node))
      if (low.get(visit.node) === order.get(visit.node)) found.push(leave(visit.node, stack, onStack))
    }
  }
  return found
}

function leave(root: string, stack: string[], onStack: Set<string>): string[] {
  const part = stack.splice(stack.lastIndexOf(root))
  for (const node of part) onStack.delete(node)
  return part
}

/** Follows edges inside of the part until a node comes again. */
function circleIn(part: readonly string[], edges: ReadonlyMap<string, readonly string[]>): string[] {
  const members = new Set(part)
  const [first = ''] = part.toSorted((a, b) => (a < b ? -1 : 1))
  const seen = new Map<string, number>()
  const walk: string[] = []
  let node = first
  while (!seen.has(node)) {
    seen.set(node, walk.length)
    walk.push(node)
    node = edges.get(node)?.find((one) => members.has(one)) ?? node
  }
  const circle = walk.slice(seen.get(node))
  const start = circle.indexOf(circle.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? '')
  return [...circle.slice(start), ...circle.slice(0, start)]
}
