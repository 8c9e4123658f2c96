// Which calls the API's document leaves open: where a setting may say a path, and what it may never lead to.
import { undocumentedRoutes } from '../routes/commands.ts'
import type { Method, Route } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'

/** Where commands on a floating IP may lie ("Endpoints that exist but have no shape here"). */
const places = ['/v1/commands/', '/v1/networking/ips/'] as const
const segment = /^(?:\{id\}|[A-Za-z][\w-]*)$/
// The document names other commands without a shape: passwords, power, terminations. Only these words are of addresses.
const ofAddresses = /^(?:ips?|address(?:es)?|attach|detach|assign|unassign)$/i

const documented = Object.values<Route>(routes).map(({ methods, path }) => ({ methods, parts: path.split('/') }))

/** The form of such a path, for editors. */
export const openPattern = String.raw`^(?:${places.join('|')})(?:\{id\}|[A-Za-z][\w-]*)(?:/(?:\{id\}|[A-Za-z][\w-]*))*$`

/** Methods that a setting may say: none that deletes. */
export const openMethods = ['POST', 'PUT', 'PATCH'] as const

/** Whether a route's method and path are a setting's to say. */
export function isOpenRoute(route: Route): boolean {
  return Object.values<Route>(undocumentedRoutes).includes(route)
}

/** Whether a request with its ids filled in is one that a setting may make of such a route. */
export function isOpenRequest(method: Method, path: string): boolean {
  const isPath = pathFault(path.replaceAll(/\/\d+(?=\/|$)/g, '/{id}')) === undefined
  return isPath && openMethods.some((one) => one === method) && !isDocumented(method, path)
}

/** Why a path of a setting is refused; undefined where the document leaves it open. */
export function pathFault(path: string): string | undefined {
  const place = places.find((one) => path.startsWith(one))
  if (place === undefined) return `a path below ${places.join(' or ')}`
  const parts = path.slice(place.length).split('/')
  if (!parts.every((part) => segment.test(part))) return 'a path of plain words, with {id} alone for the address: no host, query, number, dot or percent sign'
  if (parts.filter((part) => part === '{id}').length > 1) return 'a path with {id} at most once'
  const words = parts.flatMap((part) => part.split(/[-_]/))
  if (place === '/v1/commands/' && !words.some((word) => ofAddresses.test(word))) return 'a command on an address, such as attach-ip or detach'
  return undefined
}

/** Whether a row of the document's tables has the method and path, with whatever stands in its placeholders. */
export function isDocumented(method: Method, path: string): boolean {
  const parts = path.split('/')
  return documented.some(
    ({ methods, parts: others }) =>
      others.length === parts.length && methods.includes(method) && others.every((one, at) => one.startsWith('{') || one === parts[at]),
  )
}
