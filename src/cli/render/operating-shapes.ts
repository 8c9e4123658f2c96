// What --json prints of operations, logs, metrics and workflows, as schemas.
import * as z from 'zod'

const text = z.string()
const activity = z.strictObject({
  name: text.describe('what is done'),
  status: text.describe('how far it is, in the words of the service'),
  attempt: z.number().nullable().describe('which attempt it is; null where the service does not tell'),
  limit: z.number().nullable().describe('how many attempts there are; null where the service does not tell'),
})
const workflow = z.strictObject({
  id: text.describe('id of the workflow'),
  name: text.describe('what it does'),
  state: text.describe('QUEUED, RUNNING, COMPLETED, FAILED, ABORTED or TIMED_OUT'),
  started: text.nullable().describe('when it was started, in UTC'),
  duration_ms: z.number().nullable().describe('how long it has taken, in milliseconds'),
  about: z
    .array(z.strictObject({ name: text.describe('a member of its data'), id: text.describe('the id that it names') }))
    .describe('what it made, or is about'),
  progress: z
    .strictObject({
      completed: z.number().nullable().describe('activities that are done'),
      total: z.number().nullable().describe('how many there are'),
      activities: z.array(activity).describe('in their order'),
      children: z
        .array(z.strictObject({ id: text.describe('id of a workflow'), name: text.describe('what it does'), status: text.describe('how far it is') }))
        .describe('workflows below it'),
    })
    .nullable()
    .describe('null in lists, which do not tell it'),
})

/** By the name of the shape. */
export const operatingShapes = {
  operation: {
    about: 'what `iac power`, `redeploy`, `rollback` and `dedibox reset-vnc` print with --json',
    schema: z.strictObject({
      address: text.describe('the address of the resource, or Kind/name of an object that is not managed'),
      kind: text.describe('its kind'),
      id: text.describe('id of the object'),
      operation: text.describe('what was done'),
      workflow_id: text.nullable().describe('id of the workflow; null where the answer names none'),
      ended: z.boolean().describe('whether it was waited for, and ended well'),
    }),
  },
  logs: {
    about: 'one line of `iac logs --json`',
    schema: z.strictObject({
      address: text.describe('the address of the service, or Kind/name of one that is not managed'),
      pod: z.int().nullable().describe('the pod that was asked for; null where none was named'),
      time: text.nullable().describe('the instant that the line begins with; null where it begins with none'),
      line: text.describe('the line as it was written, but for that instant'),
    }),
  },
  metrics: {
    about: 'what `iac metrics --json` prints; times are Unix time in seconds',
    schema: z.strictObject({
      address: text.describe('the address of the resource, or Kind/name of an object that is not managed'),
      id: text.describe('id of the object'),
      start: z.int().describe('from when on'),
      end: z.int().describe('until when'),
      step: z.int().describe('how far apart, in seconds'),
      series: z
        .array(
          z.strictObject({
            name: text.describe('what it is of'),
            points: z.array(z.array(z.number().nullable())).describe('an instant and its value; null where there is none'),
          }),
        )
        .describe('what looks like a series in the answer'),
      answer: z.unknown().describe('the answer itself where nothing does, else null'),
    }),
  },
  workflow: { about: 'what `iac workflows ID --json` prints', schema: workflow },
  workflows: { about: 'what `iac workflows --json` prints, the newest first', schema: z.array(workflow) },
} as const
