// Tenants: sandboxes beside the first one, each with rows, rules, faults and a clock of its own, for tests that run at once.
import { hashOfCode } from '../request/caller.ts'
import type { Place, PlaceOptions } from '../time/place.ts'
import { createPlace } from '../time/place.ts'
import { mix } from '../store/table.ts'

/** A tenant; its paths begin with `prefix`. */
export interface Tenant {
  readonly id: string
  readonly prefix: string
  readonly place: Place
}

/** What a tenant may have otherwise than the first sandbox. */
export type TenantOptions = Pick<PlaceOptions, 'snapshot' | 'seed' | 'profile' | 'readings' | 'without' | 'mode'>

export interface Tenants {
  create(options: TenantOptions): Tenant
  get(id: string): Tenant | undefined
  remove(id: string): boolean
  list(): readonly Tenant[]
  /** The tenant that alone knows this token; undefined where the first sandbox knows it, too, or several do. */
  ofToken(code: string): Tenant | undefined
}

/** Where the paths of tenants begin. */
export const TENANTS_PREFIX = '/_tenants/'

/** The stream of random numbers that the seeds of tenants are drawn from. */
const SEED_STREAM = 4098

/** No tenants yet; what is not said otherwise each has as `defaults` say. */
export function createTenants(root: Place, defaults: PlaceOptions): Tenants {
  const tenants = new Map<string, Tenant>()
  let made = 0
  return {
    create(options) {
      const number = made + 1
      const id = `t${number}`
      const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
      const seed = mix(defaults.seed ?? 1, SEED_STREAM, number)
      const { snapshot: _, onChange: __, ...inherited } = defaults
      const place = createPlace({ ...inherited, mode: root.clock.course.mode, scale: root.clock.course.scale, seed, ...given, tokenLabel: `/${id}` })
      const tenant = Object.freeze({ id, prefix: TENANTS_PREFIX + id, place })
      made = number
      tenants.set(id, tenant)
      return tenant
    },
    get: (id) => tenants.get(id),
    remove: (id) => tenants.delete(id),
    list: () => [...tenants.values()],
    ofToken(code) {
      if (tenants.size === 0) return undefined
      const hash = hashOfCode(code)
      if (knows(root, hash)) return undefined
      let found: Tenant | undefined
      for (const tenant of tenants.values()) {
        if (!knows(tenant.place, hash)) continue
        if (found) return undefined
        found = tenant
      }
      return found
    },
  }
}

function knows({ sandbox }: Place, hash: string): boolean {
  return sandbox.world.tables.tokens.first('codeHash', hash) !== undefined
}
