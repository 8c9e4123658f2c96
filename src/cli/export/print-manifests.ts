// Manifests on standard output, and what is said beside them of what they lack.
import { failure } from '../../base/diagnostic.ts'
import { few } from '../../base/words/few.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { groupBy } from '../../kinds/definition/live-fields.ts'
import type { Context } from '../context/context.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { variableLines } from './export-files.ts'
import { mayBelong } from './export-manifests.ts'
import type { Exported } from './export-manifests.ts'

/** Throws a Failure (3) for a kind of which no manifest can say what is live. */
export function mustBeWritable(kind: AnyKind): void {
  if (!kind.managed) throw failure('usage', `${kind.plural} are looked up, not declared`, { hint: `\`iac get ${kind.plural}\` lists them` })
  if (!kind.readable) throw failure('usage', `the service offers no call that reads ${kind.plural}`)
}

/** Nobody reads a million. */
const MOST_HINTS = 20

/** What is live and stands in no manifest, and why; `command` is the one that takes a kind which has to be named. */
export function tellWhatIsMissing({ print }: Context, { refused, leftOut, doubts }: Exported, command = 'export'): void {
  for (const { kind, words } of refused) print.aside(safeLine(`${kind} is left out: ${words}`))
  for (const [why, ids] of groupBy(leftOut, (one) => `${one.thing.kind.name} left out: ${one.why}`))
    print.aside(safeLine(`${why}: ${few(ids.map((one) => one.thing.id))}`))
  const hints = [...new Set(leftOut.flatMap((one) => one.hint ?? []))]
  for (const hint of hints.slice(0, MOST_HINTS)) print.aside(safeLine(hint))
  if (hints.length > MOST_HINTS) print.aside(`and ${hints.length - MOST_HINTS} more likewise`)
  const mayBe = new Set(leftOut.filter((one) => one.why === mayBelong).map((one) => one.thing.kind.name))
  for (const kind of mayBe) print.aside(`\`iac ${command} --kind ${kind}\` has them`)
  for (const doubt of doubts) print.aside(safeLine(`not shown to stay as it is: ${doubt}`))
}

/** The texts as one, and the lines of iac.yaml that they ask for; `none` is said where there are no texts. */
export function printManifests({ print }: Context, { variables }: Exported, texts: readonly string[], none = 'nothing is live here'): void {
  if (texts.length === 0) return print.note(none)
  print.data(texts.join('---\n'))
  const lines = variableLines(variables)
  if (lines !== '') print.note(`These lines of iac.yaml declare what the manifests ask for:\n${lines.trimEnd()}`)
}
