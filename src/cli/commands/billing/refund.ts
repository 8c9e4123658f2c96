// `iac wallet refund USER AMOUNT`: money that was paid back, taken from a wallet (operators).
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
import { balanceDocument, walletText } from '../../render/billing/wallet-text.ts'
import { exactMoneyText } from '../../render/text/money-text.ts'

export const refundCommand = defineCommand({
  summary: 'pay back from a wallet (operators)',
  about:
    'Notes a refund: it draws the balance down, and does not count as spent. The service does it each time that it is asked: look at `iac wallet movements` before sending it again.',
  arguments: [
    { name: 'USER', about: 'id of the user' },
    { name: 'AMOUNT', about: 'US dollars, with up to six decimals' },
  ],
  flags: {
    reference: { type: 'text', value: 'REF', about: 'reference of the payment' },
    memo: { type: 'text', value: 'TEXT', about: 'what the movement says it is for' },
    ...approveFlag,
  },
  idle: idleFlags.withoutProject.filter((name) => name !== 'sandbox' && name !== 'no-input'),
  examples: [{ text: 'wallet refund 1152921504606846978 5 --reference refund-3', about: 'what was paid back' }],
  async run(context, given) {
    const [user = '', text = ''] = given.arguments
    const [uid, amount] = [givenUser(user), givenMicroUsd(text)]
    const [reference, memo] = [given.text('reference'), given.text('memo')]
    const client = await context.client(await compatHere(context))
    const title = `Do you really want to take ${exactMoneyText(BigInt(amount))} USD from the wallet of ${uid} as a refund?`
    if (!(await isApproved(context, given, { title, lines: ['There is no undo.'] }))) return 1
    const asked = call(routes.refundWallet, { uid }, { amount, ...(reference === undefined ? {} : { reference }), ...(memo === undefined ? {} : { memo }) })
    const { body } = await asOperator(sendCall(context, client, asked, { wait: false }))
    const balance = asRecord(asked, body, billingRecords.balance)
    if (context.globals.switch('json')) context.print.json({ currency: 'USD', unit: 'micro', ...balanceDocument(balance) })
    else context.print.result(walletText({ balance, grants: null, history: null, movements: null }))
    return 0
  },
})
