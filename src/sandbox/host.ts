// All that one address serves: the first sandbox, its tenants, and the control routes of each.
import type { Control, Shelf } from './control/context.ts'
import { CONTROL_PREFIX } from './control/guard.ts'
import type { Tenant, Tenants } from './control/tenants.ts'
import { createTenants, TENANTS_PREFIX } from './control/tenants.ts'
import { ConnectionReset, textResponse } from './faults/faults.ts'
import { fetchFrom } from './fetch.ts'
import { codeOf } from './request/caller.ts'
import type { SandboxRequest, SandboxResponse } from './request/exchange.ts'
import type { Place, PlaceOptions } from './time/place.ts'
import { createPlace } from './time/place.ts'

const noTenant = { 'x-message': 'no such tenant' } as const

/** What a server hands its requests to. */
export interface Host {
  readonly place: Place
  readonly tenants: Tenants
  readonly controlToken: string
  handle(request: SandboxRequest): Promise<SandboxResponse>
  /** The same for web-standard requests, the control routes among them. */
  fetch(request: Request): Promise<Response>
  /** Tells at which address it is served, for the addresses of tenants. */
  servedAt(url: string): void
}

/** Makes a host; `controlToken` is what control requests carry, `version` that of the program. */
export function createHost(options: PlaceOptions & { readonly controlToken: string; readonly version: string }): Host {
  const { controlToken, version, ...rest } = options
  const place = createPlace(rest)
  const tenants = createTenants(place, rest)
  const shelves = new WeakMap<Place, Shelf>()
  let address = 'http://sandbox.localhost'
  const control: Control = {
    version,
    base: rest.base,
    tenants,
    url: () => address,
    shelfOf(one) {
      const shelf: Shelf = shelves.get(one) ?? new Map<string, { readonly at: string; readonly text: string }>()
      shelves.set(one, shelf)
      return shelf
    },
  }
  /** The tenant whose paths these are. */
  function tenantOf(path: string): Tenant | undefined {
    const [id = ''] = path.slice(TENANTS_PREFIX.length).split(/[/?]/, 1)
    return tenants.get(id)
  }
  /** By its path, else by its token; the first sandbox where neither says otherwise. */
  async function handle(request: SandboxRequest): Promise<SandboxResponse> {
    const { method, path, headers, body } = request
    // Whose body was still on its way when all ended has come too late.
    if (place.ended.aborted) throw new ConnectionReset()
    if (!path.startsWith(TENANTS_PREFIX)) {
      const code = codeOf(headers)
      const tenant = code === undefined || code === '' ? undefined : tenants.ofToken(code)
      return await (tenant?.place ?? place).handle(request)
    }
    const tenant = tenantOf(path)
    if (!tenant) return textResponse(404, noTenant, '')
    return await tenant.place.handle({ method, path: path.slice(tenant.prefix.length), headers, body, signal: request.signal })
  }
  return {
    place,
    tenants,
    controlToken,
    servedAt: (url) => void (address = url),
    handle,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const isTenants = pathname.startsWith(TENANTS_PREFIX)
      const tenant = isTenants ? tenantOf(pathname) : { place, prefix: '' }
      if (!tenant) return new Response('', { status: 404, headers: noTenant })
      const path = pathname.slice(tenant.prefix.length)
      if (!path.startsWith(`${CONTROL_PREFIX}/`)) return await fetchFrom(handle, request)
      // Few ask for them, and they are much code.
      const { controlResponse } = await import('./control/control.ts')
      return await controlResponse(control, controlToken, tenant.place, path.slice(CONTROL_PREFIX.length), request)
    },
  }
}
