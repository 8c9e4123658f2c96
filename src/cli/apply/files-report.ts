// What was found in the files of a project, as a report.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { rangeOf } from '../../base/diagnostic.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import { validateDocument } from '../render/diagnostics/diagnostic-json.ts'
import type { Report } from '../render/formats/report.ts'
import { counted } from '../render/text/counted.ts'
import { placesIn } from './renderings.ts'

/** The report of what failed before there was any, as that of its files. */
export function failedReport(context: Context, diagnostics: readonly Diagnostic[]): Report {
  return { ...filesReport(context, diagnostics, undefined), subject: context.name === 'validate' ? 'validate' : 'plan' }
}

/** The report of `validate`; `project` is what could be loaded. */
export function filesReport(context: Context, diagnostics: readonly Diagnostic[], project: Project | undefined): Report {
  const { globals, surroundings } = context
  const placeOf = placesIn(context)
  const manifests = new Map(project?.resources.map((one) => [one.address, one]))
  const document = validateDocument(context.print.placed(diagnostics))
  const sentence = `Success! The manifests are valid (${counted(project?.resources.length ?? 0, 'resource')}).\n`
  return {
    subject: 'validate',
    toolVersion: surroundings.version,
    createdAt: new Date(surroundings.clock.wall()).toISOString(),
    project: project?.name ?? null,
    environment: project?.environment ?? null,
    plan: null,
    drift: null,
    diagnostics: document.diagnostics,
    placeOf,
    declaredAt: (address) => placeOf(rangeOf(manifests.get(address)?.position())),
    outputs: { before: {}, after: {} },
    fieldText: () => undefined,
    replaceCostsOf: () => [],
    differs: false,
    document: () => document,
    text: () => (document.valid && !globals.switch('quiet') ? sentence : ''),
  }
}
