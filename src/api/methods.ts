// Which method a call takes where the document leaves two open: the setting, what this run has learnt, or the first named.
import type { Compat } from './calls/compat.ts'
import type { Prepared } from './exchange.ts'
import type { Method, Route } from './routes/route.ts'

/** What worked in this run, by path of the route. */
export type MethodMemory = Map<string, Method>

interface Choice {
  readonly ends: string
  readonly setting: 'dns_method' | 'dhcp_method' | 'service_method' | 'secret_method'
  /** Whether the path itself has a GET in the document, or only the one above it. */
  readonly readable: boolean
}

const choices: readonly Choice[] = [
  { ends: '/ips/{id}/dns', setting: 'dns_method', readable: false },
  { ends: '/instances/{id}/dhcp', setting: 'dhcp_method', readable: false },
  { ends: '/k3s/services/{id}', setting: 'service_method', readable: true },
  { ends: '/k3s/secrets/{id}', setting: 'secret_method', readable: false },
]

/** The method to send, and the one to try if the service does not take it; the second only under `auto` and before anything was learnt. */
export function methodChoices(route: Route, compat: Compat, memory: MethodMemory): readonly [Method, Method?] {
  const [first, second] = route.methods
  const setting = choiceOf(route)?.setting
  if (second === undefined || setting === undefined) return [first]
  const chosen = compat[setting] === 'auto' ? memory.get(route.path) : compat[setting]
  return chosen === undefined ? [first, second] : [chosen]
}

/** A GET that the document shows and that answers if the object of a call is there: its own path, or the one above. */
export function objectRequest(request: Prepared): Prepared {
  const path = choiceOf(request.route)?.readable ? request.path : request.path.slice(0, request.path.lastIndexOf('/'))
  return { route: { ...request.route, methods: ['GET'], effect: false, answer: { shape: 'text' } }, method: 'GET', path, headers: {} }
}

function choiceOf(route: Route): Choice | undefined {
  return choices.find((one) => route.path.endsWith(one.ends))
}
