// `iac prices [TYPE]`: the rate cards by which the service bills (operators).
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { onScreen } from '../../apply/renderings.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { compatHere } from '../../context/workspace-of.ts'
import { asOperator } from '../../operating/as-operator.ts'
import { billingRecords, readRecords } from '../../operating/read-billing.ts'
import { rateDocument, ratesText, rateTypes } from '../../render/billing/rates-text.ts'

export const pricesCommand = defineCommand({
  summary: 'the rate cards (operators)',
  about: 'Shows the latest rate of every card, or all rates of one type, the latest first. Rates are US dollars for a unit and an hour.',
  arguments: [{ name: 'TYPE', about: rateTypes.join(', '), optional: true, choices: rateTypes }],
  flags: {},
  idle: idleFlags.withoutProject.filter((name) => name !== 'sandbox'),
  examples: [{ text: 'prices CPU', about: 'what a core costs and did' }],
  async run(context, given) {
    const type = given.arguments[0]
    const client = await context.client(await compatHere(context))
    const asked = type === undefined ? call(routes.listPrices, {}) : call(routes.listPricesOfType, { type })
    const rates = await asOperator(readRecords(client, asked, billingRecords.rate))
    if (context.globals.switch('json')) context.print.json(rates.map(rateDocument))
    else if (rates.length === 0) context.print.note('no prices')
    else context.print.result(onScreen(context, ratesText(rates)))
    return 0
  },
})
