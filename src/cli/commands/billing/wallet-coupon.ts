// `iac wallet coupon USER AMOUNT`: credit that expires, used up before what was paid for (operators).
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { isApproved } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { givenMicroUsd } from '../../arguments/given-money.ts'
import { defineCommand } from '../../context/command.ts'
import { compatHere } from '../../context/workspace-of.ts'
import { approveFlag, asOperator } from '../../operating/as-operator.ts'
import { givenUser } from '../../operating/given/given-user.ts'
import { asRecord, billingRecords } from '../../operating/read-billing.ts'
import { sendCall } from '../../operating/send-call.ts'
import { grantDocument } from '../../render/billing/wallet-text.ts'
import { exactMoneyText } from '../../render/text/money-text.ts'
import { safeLine } from '../../render/text/sanitise.ts'

const MOST_DAYS = 36_500

export const walletCouponCommand = defineCommand({
  summary: 'give a wallet coupon credit (operators)',
  about:
    'Gives a user credit that expires and is used up before what was paid for. The service gives it each time that it is asked: look at `iac wallet grants` before sending it again.',
  arguments: [
    { name: 'USER', about: 'id of the user' },
    { name: 'AMOUNT', about: 'US dollars, with up to six decimals' },
  ],
  flags: {
    code: { type: 'text', value: 'CODE', about: 'what stands as its code in the list of grants' },
    'expiry-days': { type: 'integer', value: 'N', least: 1, most: MOST_DAYS, about: 'for how many days (default 30)' },
    ...approveFlag,
  },
  idle: idleFlags.withoutProject.filter((name) => name !== 'sandbox' && name !== 'no-input'),
  examples: [{ text: 'wallet coupon 1152921504606846978 10 --expiry-days 90', about: 'ten dollars for three months' }],
  async run(context, given) {
    const [user = '', text = ''] = given.arguments
    const [uid, amount] = [givenUser(user), givenMicroUsd(text)]
    const [code, days] = [given.text('code'), given.number('expiry-days')]
    const client = await context.client(await compatHere(context))
    const title = `Do you really want to give ${uid} ${exactMoneyText(BigInt(amount))} USD of coupon credit?`
    if (!(await isApproved(context, given, { title, lines: [`It expires after ${days ?? 30} days.`] }))) return 1
    const asked = call(
      routes.creditWalletCoupon,
      { uid },
      { amount, ...(code === undefined ? {} : { code }), ...(days === undefined ? {} : { expiry_days: days }) },
    )
    const { body } = await asOperator(sendCall(context, client, asked, { wait: false }))
    const grant = asRecord(asked, body, billingRecords.grant)
    if (context.globals.switch('json')) context.print.json(grantDocument(grant, grant.code))
    else context.print.result(`Grant ${safeLine(grant.id)}: ${exactMoneyText(grant.amount)} USD, expires ${safeLine(grant.expires_at ?? 'never')}\n`)
    return 0
  },
})
