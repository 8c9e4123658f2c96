// All that one address serves: the first sandbox, its tenants, and the control routes of each.
import { codeOf } from './caller.ts'
import type { Control, Shelf } from './control/context.ts'
import { CONTROL_PREFIX, controlResponse } from './control/control.ts'
import type { Tenants } from './control/tenants.ts'
import { createTenants, TENANTS_PREFIX } from './control/tenants.ts'
import type { Place, PlaceOptions } from './place.ts'
import { createPlace } from './place.ts'

/** What a server hands its requests to. */
export interface Host {
  readonly place: Place
  readonly tenants: Tenants
  readonly controlToken: string
  fetch(request: Request, lost?: () => void): Promise<Response>
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
  /** By its path, else by its token; the first sandbox where neither says otherwise. */
  function placeFor(pathname: string, request: Request): { readonly place: Place; readonly prefix: string } | undefined {
    if (pathname.startsWith(TENANTS_PREFIX)) {
      const [id = ''] = pathname.slice(TENANTS_PREFIX.length).split('/')
      const tenant = tenants.get(id)
      return tenant && { place: tenant.place, prefix: tenant.prefix }
    }
    const code = codeOf({ authorization: request.headers.get('authorization') ?? '' })
    const tenant = code === undefined || code === '' ? undefined : tenants.ofToken(code)
    return { place: tenant?.place ?? place, prefix: '' }
  }
  return {
    place,
    tenants,
    controlToken,
    servedAt: (url) => void (address = url),
    async fetch(request, lost) {
      const { pathname } = new URL(request.url)
      const isControl = pathname.startsWith(`${CONTROL_PREFIX}/`)
      const found = isControl ? { place, prefix: '' } : placeFor(pathname, request)
      if (!found) return new Response('', { status: 404, headers: { 'x-message': 'no such tenant' } })
      const path = pathname.slice(found.prefix.length)
      if (!path.startsWith(`${CONTROL_PREFIX}/`)) return await found.place.fetch(request, lost, found.prefix)
      return await controlResponse(control, controlToken, found.place, path.slice(CONTROL_PREFIX.length), request)
    },
  }
}
