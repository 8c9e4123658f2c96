// `iac import ADDRESS ID`: an existing object under a manifest.
import type { Client } from '../../api/client.ts'
import { parseAddress } from '../../base/address.ts'
import { importObject } from '../../engine/record-only.ts'
import { kinds } from '../../kinds/registry.ts'
import { createReporter } from '../apply/reporter.ts'
import { unknownKind } from '../arguments/find-kind.ts'
import { defineCommand } from '../context/command.ts'
import { addressOf } from '../context/state-addresses.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { tellingOfEnd } from '../surroundings/ended-at-once.ts'
import { ownerOf } from '../surroundings/owner.ts'

export const importCommand = defineCommand({
  summary: 'put an existing object under a manifest',
  about: 'Records an existing object as the one that a manifest describes. Nothing is changed at the service; the next plan shows what differs.',
  arguments: [
    { name: 'ADDRESS', about: 'a manifest that is not in the state yet' },
    { name: 'ID', about: 'the id of the object, joined by / for objects without one of their own' },
  ],
  flags: {},
  examples: [
    { text: 'import Instance/web 9007199254740993', about: 'by id' },
    { text: 'import VpcAttachment/web-main 12/34', about: 'an object without an id of its own' },
  ],
  async run(context, given) {
    const [word = '', id = ''] = given.arguments
    const address = addressOf(word)
    const kind = parseAddress(address)?.kind ?? ''
    const names = kinds.map((one) => one.name)
    if (!names.includes(kind)) throw unknownKind(kind, names)
    const { project, diagnostics } = await context.project()
    const store = await context.store(project)
    const reporter = createReporter(context)
    let client: Client | undefined
    const keepQuiet = tellingOfEnd(context.surroundings, () => client, 'an import changes nothing at the service; `iac status` shows whether the lock was left')
    context.surroundings.graceful(true)
    try {
      const run = await context.run(project, { report: reporter.report, shown: reporter.shown })
      client = run.client
      const owner = ownerOf(context.surroundings, 'import')
      await importObject(run, { project, store, diagnostics, owner, lockTimeoutMs: context.globals.number('lock-timeout') ?? 0 }, address, id)
    } finally {
      context.surroundings.graceful(false)
      reporter.stop()
      keepQuiet()
    }
    const document: MachineDocument<'import'> = { address, id }
    if (context.globals.switch('json')) context.print.json(document)
    else context.print.result(`Import successful! ${safeLine(address)} is now managed (id ${safeLine(id)}).\n`)
    return 0
  },
})
