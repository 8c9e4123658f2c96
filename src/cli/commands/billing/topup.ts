// `iac wallet topup USER AMOUNT`: credit that was paid for, given once for each payment (operators).
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { uuidOf } from '../../../base/uuid.ts'
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

export const topupCommand = defineCommand({
  summary: 'add paid credit to a wallet (operators)',
  about:
    'Gives a user credit that was paid for. The service takes a payment reference once: sent again with the same one, nothing is given twice. Without --reference one is made up and told before anything is sent.',
  arguments: [
    { name: 'USER', about: 'id of the user' },
    { name: 'AMOUNT', about: 'US dollars, with up to six decimals' },
  ],
  flags: { reference: { type: 'text', value: 'REF', about: 'reference of the payment' }, ...approveFlag },
  idle: idleFlags.withoutProject.filter((name) => name !== 'sandbox' && name !== 'no-input'),
  examples: [{ text: 'wallet topup 1152921504606846978 25 --reference invoice-17', about: 'once, however often it is run' }],
  async run(context, given) {
    const [user = '', text = ''] = given.arguments
    const [uid, amount] = [givenUser(user), givenMicroUsd(text)]
    const reference = given.text('reference') ?? `iac-${uuidOf(context.surroundings.randomBytes(16))}`
    if (given.text('reference') === undefined) context.print.aside(`payment reference: ${reference} (give it as --reference to send this again)`)
    const client = await context.client(await compatHere(context))
    if (
      !(await isApproved(context, given, {
        title: `Do you really want to top up the wallet of ${uid} by ${exactMoneyText(BigInt(amount))} USD?`,
        lines: [`Payment reference: ${safeLine(reference)}.`],
      }))
    )
      return 1
    const asked = call(routes.topUpWallet, { uid }, { amount, payment_ref: reference })
    const { body } = await asOperator(sendCall(context, client, asked, { wait: false }))
    const grant = asRecord(asked, body, billingRecords.grant)
    if (context.globals.switch('json')) context.print.json(grantDocument(grant, reference))
    else
      context.print.result(`Grant ${safeLine(grant.id)}: ${exactMoneyText(grant.amount)} USD, payment reference ${safeLine(grant.payment_ref ?? reference)}\n`)
    return 0
  },
})
