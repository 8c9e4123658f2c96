// Control of tenants: making one for each test, and removing it.
import * as z from 'zod'
import type { JsonObject } from '../../base/json.ts'
import { checkReadings, checkStrains } from '../readings/readings-given.ts'
import type { Mistake } from '../readings/readings-given.ts'
import { defined } from '../request/defined.ts'
import { messageOf, missing, Refusal } from '../request/refusal.ts'
import { misfitOf } from '../store/snapshot-head.ts'
import { tenantBody } from './bodies.ts'
import type { Control } from './context.ts'
import type { ControlRoute } from './control-route.ts'
import { controlRoute } from './control-route.ts'
import type { Tenant } from './tenants.ts'

const MOST_TENANTS = 10_000

export const tenantRoutes: readonly ControlRoute[] = [
  controlRoute('GET', '/tenants', {
    about: 'the tenants',
    respond: ({ control }) => ({ json: { tenants: control.tenants.list().map((one) => tenantView(control, one)) } }),
  }),
  controlRoute('POST', '/tenants', {
    about: 'make a sandbox of its own: reached by its token, or below its address',
    body: tenantBody.optional(),
    respond({ control, body = {} }) {
      if (control.tenants.list().length >= MOST_TENANTS) throw new Refusal(409, `at most ${MOST_TENANTS} tenants are kept`)
      const { readings, strains, clock: mode, ...rest } = body
      const options = defined({ ...rest, readings: readings && readingsOf(readings), strains: strains && strainsOf(strains), mode })
      return {
        json: tenantView(
          control,
          made(rest.snapshot, () => control.tenants.create(options)),
        ),
        status: 201,
      }
    },
  }),
  controlRoute('DELETE', '/tenants/{id}', {
    about: 'remove a tenant with all it has',
    respond({ control, params }) {
      if (!control.tenants.remove(String(params['id']))) throw missing('tenant')
      return { json: {} }
    },
  }),
]

function tenantView(control: Control, { id, prefix, place: { sandbox } }: Tenant): JsonObject {
  const { token, operatorToken, password, workspaceId } = sandbox
  return { id, token, operator_token: operatorToken, password, workspace: workspaceId, base_url: control.url() + prefix }
}

type GivenWords = Readonly<Record<string, string | number>>

function readingsOf(given: GivenWords) {
  const checked = checkReadings(Object.entries(given))
  if ('readings' in checked) return checked.readings
  throw unfit('readings', checked)
}

function strainsOf(given: GivenWords) {
  const checked = checkStrains(Object.entries(given))
  if ('strains' in checked) return checked.strains
  throw unfit('strains', checked)
}

function unfit(field: string, { mistake, nearest }: Mistake): Refusal {
  return new Refusal(400, nearest === undefined ? mistake : `${mistake}; did you mean ${nearest}?`, [{ field, message: mistake }])
}

/** A snapshot or a rule's name that does not fit is the caller's mistake. */
function made(snapshot: unknown, work: () => Tenant): Tenant {
  try {
    return work()
  } catch (error) {
    throw new Refusal(400, error instanceof z.ZodError ? `the snapshot does not fit: ${misfitOf(snapshot, error)}` : messageOf(error))
  }
}
