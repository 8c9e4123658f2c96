// Finds the route of a method and path: a tree of the paths' segments, literal words before placeholders.
import type { Method } from '../../api/routes/route.ts'
import type { Readings } from '../readings/assumptions.ts'
import type { RouteName } from '../served-routes.ts'
import { routes } from '../served-routes.ts'

interface Branch {
  readonly words: Map<string, Branch>
  placeholder: Branch | undefined
  readonly methods: Map<string, RouteName>
}

/** A route with the segments that stand in its placeholders; or why there is none. */
export type Match =
  | { readonly name: RouteName; readonly values: readonly string[] }
  | { readonly status: 404 }
  | { readonly status: 405; readonly allow: readonly string[] }

/** The path and methods of a route; the readings say which method works where the document names two, and which path where it names none. */
export function servedAs(name: RouteName, { openMethods, detachPath }: PathReadings): { readonly path: string; readonly methods: readonly Method[] } {
  const [first, second = first] = routes[name].methods
  const methods = openMethods === 'both' ? [...new Set([first, second])] : [openMethods === 'first' ? first : second]
  return { path: name === 'detachIp' ? `/v1/commands/${detachPath}` : routes[name].path, methods }
}

/** What the readings say of paths and methods. */
type PathReadings = Pick<Readings, 'openMethods' | 'detachPath'>

/** The finder of the routes as the readings have them. */
export function createRouteIndex(readings: PathReadings): (method: string, path: string) => Match {
  const root = newBranch()
  for (const name of routeNames) {
    const { path, methods } = servedAs(name, readings)
    const branch = branchOf(root, path)
    for (const method of methods) {
      if (branch.methods.has(method)) throw new Error(`two routes for ${method} ${path}`)
      branch.methods.set(method, name)
    }
  }
  return (method, path) => {
    const segments = path.split('/')
    if (segments.shift() !== '') return { status: 404 }
    return find(root, segments, 0, method, []) ?? { status: 404 }
  }
}

/** All route names, in the order of the document. */
export const routeNames: readonly RouteName[] = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(routes, name))

function newBranch(): Branch {
  return { words: new Map(), placeholder: undefined, methods: new Map() }
}

function branchOf(root: Branch, path: string): Branch {
  let branch = root
  for (const segment of path.split('/').slice(1)) {
    if (segment.startsWith('{')) branch = branch.placeholder ??= newBranch()
    else {
      const next = branch.words.get(segment) ?? newBranch()
      branch.words.set(segment, next)
      branch = next
    }
  }
  return branch
}

function find(branch: Branch, segments: readonly string[], at: number, method: string, values: readonly string[]): Match | undefined {
  const segment = segments[at]
  if (segment === undefined) {
    const name = branch.methods.get(method)
    if (name !== undefined) return { name, values }
    return branch.methods.size > 0 ? { status: 405, allow: [...branch.methods.keys()] } : undefined
  }
  const word = branch.words.get(segment)
  const byWord = word && find(word, segments, at + 1, method, values)
  if (byWord && 'name' in byWord) return byWord
  const byPlaceholder = branch.placeholder && find(branch.placeholder, segments, at + 1, method, [...values, segment])
  if (byPlaceholder && 'name' in byPlaceholder) return byPlaceholder
  const allow = [byWord, byPlaceholder].flatMap((one) => (one && 'allow' in one ? one.allow : []))
  return allow.length === 0 ? undefined : { status: 405, allow: [...new Set(allow)] }
}
