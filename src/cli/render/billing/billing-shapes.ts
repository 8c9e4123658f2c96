// What --json prints of prices, usage, wallets and quota, as schemas.
import * as z from 'zod'
import { planSchema } from '../../../engine/model/plan-schema.ts'

const text = z.string()
const address = text.describe('the address of the resource')
const kind = text.describe('its kind')
const micro = text.nullable()
const inMicroUsd = {
  currency: z.literal('USD').describe('the currency'),
  unit: z.literal('micro').describe('all amounts are in millionths of it'),
}
const rate = z.strictObject({
  id: text.describe('id of the rate'),
  type: text.nullable().describe('CPU, MEMORY, STORAGE, BANDWIDTH or IP'),
  region: text.nullable().describe('where it holds'),
  service_group: text.nullable().describe('of CPU; null: any'),
  cpu_model: text.nullable().describe('of CPU; null: any'),
  storage_backing: text.nullable().describe('of STORAGE; null: any'),
  direction: text.nullable().describe('of BANDWIDTH; null: any'),
  family: text.nullable().describe('of IP; null: any'),
  ddos: z.boolean().nullable().describe('of IP; null: any'),
  unit_rate: micro.describe('for a unit and an hour'),
  effective_from: text.nullable().describe('from when on'),
})

/** By the name of the schema's file; amounts are texts of digits, since programs round numbers. */
export const billingShapes = {
  cost: {
    about: "what `iac cost --json` prints: the plan's cost, with a row for each resource that costs anything",
    schema: planSchema.shape.cost.unwrap().extend({
      resources: z
        .array(
          z.strictObject({
            address,
            kind,
            hourly_before: micro.describe('an hour of what is live'),
            hourly_after: micro.describe('an hour as the manifests want it'),
            monthly_before: micro.describe('a month of what is live'),
            monthly_after: micro.describe('a month as the manifests want it'),
            unpriced: text.nullable().describe('why it has no price, or none for itself alone; null where it has one'),
          }),
        )
        .describe('amounts in digits; null where nothing is there, or nobody can tell'),
    }),
  },
  usage: {
    about: 'what `iac usage --json` prints; amounts in millionths of the currency, in digits, null where the service does not tell',
    schema: z.strictObject({
      ...inMicroUsd,
      from: text.describe('from when on, in UTC'),
      to: text.describe('until when, exclusive'),
      total_cost: micro.describe('all that was used'),
      workspaces: z
        .array(
          z.strictObject({
            workspace_id: text.describe('id of the workspace'),
            workspace_name: text.nullable().describe('its name'),
            total_minutes: z.number().nullable().describe('minutes of all resources; null where some of them alone were asked for'),
            total_cost: micro.describe('what these resources cost'),
            resources: z
              .array(
                z.strictObject({
                  address: text.nullable().describe('its address, where the state holds it'),
                  resource_id: text.describe('id of the object'),
                  resource_kind: text.nullable().describe("the service's word for what it is"),
                  resource_name: text.nullable().describe('its name when it was made'),
                  minutes: z.number().nullable().describe('how long it was metered'),
                  cost: micro.describe('what it cost'),
                }),
              )
              .describe('what was metered'),
          }),
        )
        .describe('the workspaces that were asked for'),
    }),
  },
  wallet: {
    about:
      'what `iac wallet --json` prints: null what was not asked for; amounts in millionths of the currency, in digits, null where the service does not tell',
    schema: z.strictObject({
      ...inMicroUsd,
      user: text.describe('whose it is: @me, or the id of a user'),
      balance: z
        .strictObject({
          balance: micro.describe('grants without what was used; may be negative'),
          usage: micro.describe('spent in this billing period'),
          overage: micro.describe('spent beyond the grants'),
        })
        .nullable()
        .describe('how it is now'),
      grants: z
        .array(
          z.strictObject({
            id: text.describe('id of the grant'),
            type: text.nullable().describe('topup, coupon or adjustment'),
            amount: micro.describe('how much was given'),
            effective_at: text.nullable().describe('from when on'),
            expires_at: text.nullable().describe('until when; null: for ever'),
            code: text.nullable().describe('of the coupon'),
            payment_ref: text.nullable().describe('of the payment'),
          }),
        )
        .nullable()
        .describe('credit that was given'),
      history: z
        .array(
          z.strictObject({
            from: text.describe('from when on'),
            to: text.describe('until when'),
            usage: micro.describe('used in it'),
            balance: micro.describe('left at its end'),
          }),
        )
        .nullable()
        .describe('windows of the past'),
      movements: z
        .array(
          z.strictObject({
            id: text.describe('id of the movement'),
            type: text.nullable().describe('COUPON, TOP_UP, ADJUSTMENT or REFUND'),
            amount: micro.describe('how much came; negative: went'),
            memo: text.nullable().describe('what was noted'),
            reference: text.nullable().describe('of the payment'),
            created_at: text.nullable().describe('when'),
          }),
        )
        .nullable()
        .describe('money that came or went, the newest first'),
    }),
  },
  'wallet-grant': {
    about: 'what `iac wallet topup --json` and `iac wallet coupon --json` print',
    schema: z.strictObject({
      ...inMicroUsd,
      id: text.describe('id of the grant'),
      amount: micro.describe('how much was given'),
      reference: text.nullable().describe('under which it was sent: the payment, or the code of the coupon'),
      expires_at: text.nullable().describe('until when; null: for ever'),
    }),
  },
  'wallet-balance': {
    about: 'what `iac wallet adjust --json` and `iac wallet refund --json` print: the wallet afterwards',
    schema: z.strictObject({
      ...inMicroUsd,
      balance: micro.describe('grants without what was used'),
      usage: micro.describe('spent in this billing period'),
      overage: micro.describe('spent beyond the grants'),
    }),
  },
  redeemed: {
    about: 'what `iac coupons redeem --json` prints',
    schema: z.strictObject({
      ...inMicroUsd,
      amount: micro.describe('how much it gave'),
      expires_at: text.nullable().describe('until when; null: for ever'),
      flags: z.array(text).describe('what workspaces were marked with'),
      workspaces: z.int().nullable().describe('how many workspaces were marked'),
    }),
  },
  prices: {
    about: 'what `iac prices --json` prints: rates in millionths of a dollar for a unit and an hour, in digits; `iac prices set --json` prints one',
    schema: z.union([z.array(rate), rate]),
  },
  subjects: {
    about: 'what `iac subjects --json` prints',
    schema: z.strictObject({
      action: z.enum(['suspend', 'resume', 'terminate']).describe('what was done'),
      id: text.describe('to which subject'),
      terminated: z
        .array(z.strictObject({ id: text.describe('id of a subject'), kind: text.nullable().describe('what it is') }))
        .describe('what was ended with it'),
    }),
  },
  quota: {
    about: 'what `iac quota --json` prints',
    schema: z.array(
      z.strictObject({
        workspace: text.describe('id of the workspace'),
        name: text.describe('name of the limit'),
        used: z.number().nullable().describe('how much is used; null where nothing that can be listed tells'),
        limit: z.number().nullable().describe('how much may be used; null: no limit'),
      }),
    ),
  },
  topology: {
    about: "what `iac topology --json` prints: the API's own object, ids as texts",
    schema: z.looseObject({}),
  },
} as const
