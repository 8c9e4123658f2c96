// `iac prices set TYPE ID`: another rate, or another instant from which it holds (operators).
import { call } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import { routes } from '../../../api/routes/routes.ts'
import { parseDuration } from '../../../base/units.ts'
import { isApproved, unapprovedCode } from '../../apply/question.ts'
import { givenInstant } from '../../arguments/given-instant.ts'
import { givenMicroUsd } from '../../arguments/given-money.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { recordedAs } from '../../context/state-access.ts'
import { compatHere } from '../../context/workspace-of.ts'
import { approveFlag, asOperator } from '../../operating/as-operator.ts'
import { byHand } from '../../operating/operate.ts'
import { asRecord, billingRecords } from '../../operating/read-billing.ts'
import { sendCall } from '../../operating/send-call.ts'
import { serviceNow } from '../../operating/service-now.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'
import { rateDocument, ratesText, rateTypes } from '../../render/billing/rates-text.ts'
import { exactMoneyText } from '../../render/text/money-text.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const setPriceCommand = defineCommand({
  summary: 'change a rate (operators)',
  about:
    'Changes one rate of `iac prices TYPE`. What a rate is for cannot be changed: declare a Price, or use `iac api`. Where a project stands it holds the lock of its state if that records the rate.',
  arguments: [
    { name: 'TYPE', about: rateTypes.join(', '), choices: rateTypes },
    { name: 'ID', about: 'id of the rate' },
  ],
  flags: {
    rate: { type: 'text', value: 'USD', about: 'US dollars for a unit and an hour, with up to six decimals' },
    'effective-from': { type: 'text', value: 'D', about: 'from when on: a day or an instant of ISO 8601' },
    ...approveFlag,
  },
  idle: ['file'],
  examples: [{ text: 'prices set CPU 1152921504607108361 --rate 0.0021', about: 'a core costs more' }],
  async run(context, given) {
    const [type = '', pid = ''] = given.arguments
    if (!/^[1-9]\d{0,18}$/.test(pid)) throw usageFailure(`"${pid}" is no id of a rate; see \`iac prices ${type}\``)
    const [rate, since] = [given.text('rate'), given.text('effective-from')]
    if (rate === undefined && since === undefined) throw usageFailure('give --rate, --effective-from, or both')
    const unitRate = rate === undefined ? undefined : givenMicroUsd(rate)
    const compat = await compatHere(context)
    const client = await context.client(compat)
    const from = since === undefined ? undefined : new Date(await sinceMs(client, since)).toISOString()
    const words = [unitRate === undefined ? [] : [`to ${exactMoneyText(BigInt(unitRate))} USD`], from === undefined ? [] : [`from ${from} on`]].flat().join(' ')
    const body = { ...(unitRate === undefined ? {} : { unit_rate: unitRate }), ...(from === undefined ? {} : { effective_from: from }) }
    const asked = call(routes.updatePrice, { type, pid }, body)
    const record = await recordedAs(context, routes.updatePrice, `${type}/${pid}`)
    const follows = record && (() => '`iac status` shows it, and the next apply settles it first')
    const answer = await byHand(context, { compat, record, step: 'set' }, async (begin) => {
      if (
        !(await isApproved(context, given, { title: `Do you really want to set the rate ${pid} of ${type} ${words}?`, lines: ['Everybody is billed by it.'] }))
      )
        return undefined
      const course = await begin(asked, { sets: body })
      const told = tellRefusal(
        `the rate ${pid} of ${type} is not set`,
        asOperator(sendCall(context, client, asked, { wait: true, course, ...(follows && { follows }) })),
        `\`iac prices ${type}\` shows those that there are`,
      )
      return (await told).body
    })
    if (answer === undefined) return unapprovedCode(context)
    const set = asRecord(asked, answer, billingRecords.rate)
    context.print.note(
      `${record ? `${safeLine(record.address)}: the next apply` : 'the next plan of a project that declares this rate'} puts back what it declares`,
    )
    if (context.globals.switch('json')) context.print.json(rateDocument(set))
    else context.print.result(ratesText([set]))
    return context.surroundings.stop.aborted ? 130 : 0
  },
})

/** Only how long ago is reckoned from the service's clock. */
async function sinceMs(client: Client, text: string): Promise<number> {
  return givenInstant('effective-from', text, parseDuration(text) === undefined ? client.serverNow() : await serviceNow(client))
}
