// `iac validate`: everything that can be checked without any call.
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import { validateDocument } from '../render/diagnostic-json.ts'
import { counted } from '../render/text/counted.ts'

export const validateCommand = defineCommand({
  summary: 'check everything without any call',
  about: 'Loads the project and checks syntax, schema, references, expressions, cycles and the rules of each kind, without any call.',
  arguments: [],
  flags: {},
  idle: idleFlags.withoutCalls,
  examples: [
    { text: 'validate', about: 'check the project of this folder' },
    { text: 'validate -f infra/web.yaml --json', about: 'check one file, for machines' },
  ],
  async run(context) {
    const { diagnostics, project, foreign } = await context.load()
    const errors = diagnostics.filter((one) => one.severity === 'error').length
    if (context.globals.switch('json')) context.print.json(validateDocument(diagnostics))
    else context.print.diagnostics(diagnostics)
    if (context.globals.switch('verbose') && foreign > 0)
      context.print.note(`${counted(foreign, 'document')} of other tools ${foreign === 1 ? 'was' : 'were'} left alone`)
    if (errors > 0) return 3
    if (!context.globals.switch('json') && !context.globals.switch('quiet'))
      context.print.result(`Success! The manifests are valid (${counted(project?.resources.length ?? 0, 'resource')}).\n`)
    return 0
  },
})
