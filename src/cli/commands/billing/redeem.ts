// `iac coupons redeem CODE`: credit for the caller's wallet.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { textOfInput } from '../../context/given-text.ts'
import { compatHere } from '../../context/workspace-of.ts'
import { asRecord, billingRecords } from '../../operating/read-billing.ts'
import { sendCall } from '../../operating/send-call.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'
import { redeemedDocument, redeemedText } from '../../render/billing/wallet-text.ts'

export const redeemCommand = defineCommand({
  summary: 'redeem a coupon',
  about: "Adds the credit of a coupon to the caller's wallet: once for each user. It needs a session, not an API token.",
  arguments: [{ name: 'CODE', about: 'the code, - for standard input' }],
  flags: {},
  idle: idleFlags.withoutProject.filter((name) => name !== 'sandbox'),
  examples: [{ text: 'coupons redeem WELCOME', about: 'what it gave, and until when' }],
  async run(context, given) {
    const [word = ''] = given.arguments
    const code = word === '-' ? (await textOfInput(context.surroundings)).trim() : word
    if (code === '') throw usageFailure('an empty text is no code')
    const client = await context.client(await compatHere(context))
    client.secrets.add(code)
    const asked = call(routes.redeemCoupon, {}, { code })
    const { body } = await tellRefusal('the coupon is not redeemed', sendCall(context, client, asked, { wait: false }))
    const redeemed = asRecord(asked, body, billingRecords.redeemed)
    if (context.globals.switch('json')) context.print.json(redeemedDocument(redeemed))
    else context.print.result(redeemedText(redeemed))
    return 0
  },
})
