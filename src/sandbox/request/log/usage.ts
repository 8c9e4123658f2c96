// What was driven since the start: routes by how they ended, rules by how often they were asked and broken, and what of a body was looked at.
import type { RouteName } from '../../served-routes.ts'

/** Answers of a route that accepted, and that refused; answers that a fault gave are no evidence and are not counted. */
export interface RouteUse {
  readonly accepted: number
  readonly refused: number
}

export interface RuleUse {
  readonly asked: number
  readonly broken: number
}

/** Counts, and what the router tells on the way. */
export interface Usage {
  answered(name: RouteName | undefined, status: number): void
  asked(rule: string, broken: boolean): void
  /** The body as handlers see it; what they read of it is remembered until the next body. */
  body(value: unknown): unknown
  /** Members of the last body that nobody read, as paths with dots; then forgotten. */
  unread(): readonly string[]
  ofRoute(name: RouteName): RouteUse
  ofRule(id: string): RuleUse
}

/** New counts, all of them 0. */
export function createUsage(): Usage {
  const routes = new Map<RouteName, RouteUse>()
  const rules = new Map<string, RuleUse>()
  let last: { readonly value: object; readonly read: ReadonlySet<string> } | undefined
  return {
    answered(name, status) {
      if (name === undefined) return
      const { accepted, refused } = routes.get(name) ?? noRoute
      routes.set(name, status < 400 ? { accepted: accepted + 1, refused } : { accepted, refused: refused + 1 })
    },
    asked(rule, broken) {
      const before = rules.get(rule) ?? noRule
      rules.set(rule, { asked: before.asked + 1, broken: before.broken + (broken ? 1 : 0) })
    },
    body(value) {
      if (typeof value !== 'object' || value === null) return value
      const read = new Set<string>()
      last = { value, read }
      return watched(value, '', read)
    },
    unread() {
      const found = last === undefined ? [] : unreadMembers(last.value, '', last.read)
      last = undefined
      return found
    },
    ofRoute: (name) => routes.get(name) ?? noRoute,
    ofRule: (id) => rules.get(id) ?? noRule,
  }
}

const noRoute: RouteUse = Object.freeze({ accepted: 0, refused: 0 })
const noRule: RuleUse = Object.freeze({ asked: 0, broken: 0 })

/** The value itself in all but one thing: each of its members that is read is noted by its path. */
function watched<T extends object>(value: T, path: string, read: Set<string>): T {
  return new Proxy(value, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver)
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return member
      const at = path === '' ? key : `${path}.${key}`
      read.add(at)
      return typeof member === 'object' && member !== null && !isFixed(target, key) ? watched(member, at, read) : member
    },
  })
}

/** A frozen member has to be given back as it is. */
function isFixed(target: object, key: string): boolean {
  const property = Object.getOwnPropertyDescriptor(target, key)
  return property?.configurable === false && property.writable === false
}

function unreadMembers(value: object, path: string, read: ReadonlySet<string>): string[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const at = path === '' ? key : `${path}.${key}`
    if (!read.has(at)) return member === undefined ? [] : [at]
    return typeof member === 'object' && member !== null ? unreadMembers(member, at, read) : []
  })
}
