// `iac wallet adjust USER AMOUNT`: a correction of a wallet, to either side (operators).
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

export const adjustCommand = defineCommand({
  summary: 'correct a wallet (operators)',
  about:
    'Adds to a wallet, or takes from it what is negative. The service does it each time that it is asked: look at `iac wallet movements` before sending it again.',
  arguments: [
    { name: 'USER', about: 'id of the user' },
    { name: 'AMOUNT', about: 'US dollars, with up to six decimals, signed' },
  ],
  flags: {
    memo: { type: 'text', value: 'TEXT', about: 'what the movement says it is for' },
    ...approveFlag,
  },
  idle: idleFlags.withoutProject.filter((name) => name !== 'sandbox' && name !== 'no-input'),
  examples: [{ text: "wallet adjust 1152921504606846978 -2.50 --memo 'billed twice'", about: 'takes something back' }],
  async run(context, given) {
    const [user = '', text = ''] = given.arguments
    const [uid, amount] = [givenUser(user), givenMicroUsd(text, true)]
    const memo = given.text('memo')
    const client = await context.client(await compatHere(context))
    const title = `Do you really want to adjust the wallet of ${uid} by ${exactMoneyText(BigInt(amount))} USD?`
    if (!(await isApproved(context, given, { title, lines: ['There is no undo.'] }))) return 1
    const asked = call(routes.adjustWallet, { uid }, { amount, ...(memo === undefined ? {} : { memo }) })
    const { body } = await asOperator(sendCall(context, client, asked, { wait: false }))
    const balance = asRecord(asked, body, billingRecords.balance)
    if (context.globals.switch('json')) context.print.json({ currency: 'USD', unit: 'micro', ...balanceDocument(balance) })
    else context.print.result(walletText({ balance, grants: null, history: null, movements: null }))
    return 0
  },
})
