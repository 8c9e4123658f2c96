// `iac subjects ACTION ID`: what is billed is suspended, resumed, or ended with all that hangs on it (operators).
import * as z from 'zod'
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import type { JsonValue } from '../../../base/json.ts'
import { isApproved } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { compatHere } from '../../context/workspace-of.ts'
import { approveFlag, asOperator } from '../../operating/as-operator.ts'
import { asRecord, billingRecords } from '../../operating/read-billing.ts'
import { sendCall } from '../../operating/send-call.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'
import { tableText } from '../../render/text/tables.ts'

const calls = { suspend: routes.suspendSubject, resume: routes.resumeSubject, terminate: routes.terminateSubject } as const
const actions = ['suspend', 'resume', 'terminate'] as const
const effects = {
  suspend: 'Metering stops, and what it is may be switched off.',
  resume: 'Metering starts again; the time between is not billed.',
  terminate: 'It ends with everything that hangs on it, and is billed to the instant. There is no undo.',
} as const

export const subjectsCommand = defineCommand({
  summary: 'suspend, resume or end what is billed (operators)',
  about: 'Suspends or resumes the metering of a resource, or terminates it with all that hangs on it, and shows what was ended.',
  arguments: [
    { name: 'ACTION', about: actions.join(', '), choices: actions },
    { name: 'ID', about: 'id of the billing subject: `iac usage` shows it' },
  ],
  flags: approveFlag,
  idle: idleFlags.withoutProject.filter((name) => name !== 'sandbox' && name !== 'no-input'),
  examples: [{ text: 'subjects suspend 1152921504607108361', about: 'no further bills for it' }],
  async run(context, given) {
    const [word, sid = ''] = given.arguments
    const action = actions.find((one) => one === word) ?? 'suspend'
    if (!/^[1-9]\d{0,18}$/.test(sid)) throw usageFailure(`"${sid}" is no id`)
    const client = await context.client(await compatHere(context))
    if (!(await isApproved(context, given, { title: `Do you really want to ${action} the billing subject ${sid}?`, lines: [effects[action]] }))) return 1
    const asked = call(calls[action], { sid })
    const { body } = await tellRefusal(`the billing subject ${sid} is as it was`, asOperator(sendCall(context, client, asked, { wait: false })))
    const terminated = action === 'terminate' ? asRecord(asked, body, z.array(billingRecords.subject)) : []
    if (action === 'terminate') context.print.note('the next plan of a project that manages any of it shows it as gone, and makes it anew')
    if (context.globals.switch('json')) context.print.json({ action, id: sid, terminated } satisfies JsonValue)
    else if (action === 'terminate')
      context.print.result(
        tableText(
          ['id', 'kind'],
          terminated.map((one) => [one.id, one.kind ?? '-']),
        ),
      )
    else context.print.note(`the billing subject ${sid} is ${action === 'suspend' ? 'suspended' : 'resumed'}`)
    return 0
  },
})
