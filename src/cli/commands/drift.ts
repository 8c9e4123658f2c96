// `iac drift`: live against state and manifests; changes nothing.
import { preparePlan } from '../../engine/session.ts'
import { kinds } from '../../kinds/registry.ts'
import { assertPlaces, formats, nameOfLookedUp, outputsOf, renderingsOf, showRenderings } from '../apply/show-plan.ts'
import { findUnmanaged } from '../apply/unmanaged.ts'
import { defineCommand } from '../context/command.ts'
import { driftDocument } from '../render/drift-json.ts'
import { driftText } from '../render/drift-text.ts'
import { fieldTextOf } from '../render/plan/field-text.ts'

export const driftCommand = defineCommand({
  summary: 'what was changed outside of iac',
  about: 'Compares what is live with what the last apply recorded. Exits with 2 when there is a difference. Changes nothing.',
  arguments: [],
  flags: {
    unmanaged: { type: 'switch', about: 'also list what no manifest manages, with a coverage figure' },
    format: { type: 'list', value: 'F[=FILE]', completes: formats, about: 'text or json, to standard output or a file' },
  },
  failsInJson: true,
  examples: [
    { text: 'drift', about: 'for people' },
    { text: 'drift --unmanaged --json', about: 'for a nightly job' },
  ],
  async run(context, given) {
    const renderings = renderingsOf(given.list('format'), context.globals.switch('json'))
    assertPlaces(context, renderings)
    const { project, diagnostics } = await context.project()
    const store = await context.store(project)
    const run = await context.run(project)
    const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
    const { plan, folded, refreshed } = await preparePlan(run, { project, store, options, diagnostics })
    const drift = plan.drift ?? []
    const found = given.switch('unmanaged')
      ? await findUnmanaged(run, { records: [...folded.resources.values()], changes: plan.changes, workspace: project.workspace })
      : undefined
    const fieldText = fieldTextOf(kinds, nameOfLookedUp(refreshed))
    const document = driftDocument(drift, found)
    await showRenderings(
      context,
      renderings,
      () => document,
      (palette) => driftText(drift, found, { palette, outputsOf, fieldText }),
    )
    return document.has_drift ? 2 : 0
  },
})
