// Tenants: sandboxes beside the first one, each with rows, rules, faults and a clock of its own, for tests that run at once.
import { hashOfCode } from '../request/caller.ts'
import { takenAtMs } from '../store/snapshot-head.ts'
import { mix } from '../store/table.ts'
import type { Place, PlaceOptions } from '../time/place.ts'
import { createPlace } from '../time/place.ts'
import { createTokenHolders } from './token-holders.ts'

/** A tenant; its paths begin with `prefix`. */
export interface Tenant {
  readonly id: string
  readonly prefix: string
  readonly place: Place
}

/** What a tenant may have otherwise than the first sandbox. */
export type TenantOptions = Pick<PlaceOptions, 'snapshot' | 'seed' | 'profile' | 'readings' | 'strains' | 'without' | 'mode'>

export interface Tenants {
  create(options: TenantOptions): Tenant
  get(id: string): Tenant | undefined
  remove(id: string): boolean
  list(): readonly Tenant[]
  /** How often one came or went. */
  readonly changes: number
  /** Where the paths of a place begin: nothing for the first sandbox. */
  prefixOf(place: Place): string
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
  const holders = createTokenHolders()
  let made = 0
  let changes = 0
  /** Who looks at the first sandbox sees tenants come and go. */
  function changed(): void {
    changes += 1
    root.sandbox.hub.publish('tenants', { count: tenants.size })
  }
  return {
    create(options) {
      const number = made + 1
      const id = `t${number}`
      const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
      const seed = mix(defaults.seed ?? 1, SEED_STREAM, number)
      const { snapshot: _, onChange: __, onMoved: ___, token: ____, startWallMs, ...rest } = defaults
      // A snapshot brings its own time.
      const inherited = startWallMs === undefined || takenAtMs(options.snapshot) !== undefined ? rest : { ...rest, startWallMs }
      const { course } = root.clock
      const scale = (options.mode ?? course.mode) === course.mode ? { scale: course.scale } : {}
      const onChange: PlaceOptions['onChange'] = (event) => {
        const tables = tenants.get(id)?.place.sandbox.world.tables
        if (tables && 'changes' in event) holders.changed(id, event.changes)
        else if (tables) holders.replaced(id, tables.tokens.all())
      }
      const place = createPlace({ ...inherited, mode: course.mode, ...scale, seed, ...given, tokenLabel: `/${id}`, onChange })
      holders.replaced(id, place.sandbox.world.tables.tokens.all())
      if (options.snapshot !== undefined) place.sandbox.keepOrigin()
      const tenant = Object.freeze({ id, prefix: TENANTS_PREFIX + id, place })
      made = number
      tenants.set(id, tenant)
      changed()
      return tenant
    },
    get: (id) => tenants.get(id),
    remove(id) {
      const tenant = tenants.get(id)
      if (!tenant) return false
      tenants.delete(id)
      holders.replaced(id, [])
      tenant.place.end()
      changed()
      return true
    },
    list: () => [...tenants.values()],
    get changes() {
      return changes
    },
    prefixOf: (place) => [...tenants.values()].find((one) => one.place === place)?.prefix ?? '',
    ofToken(code) {
      if (tenants.size === 0) return undefined
      const hash = hashOfCode(code)
      if (knows(root, hash)) return undefined
      const [id, ...others] = holders.of(hash)
      return id === undefined || others.length > 0 ? undefined : tenants.get(id)
    },
  }
}

function knows({ sandbox }: Place, hash: string): boolean {
  return sandbox.world.tables.tokens.first('codeHash', hash) !== undefined
}
