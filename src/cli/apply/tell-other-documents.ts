// Documents that were left alone as another tool's, by their places: one of them may be a manifest.
import type { Plan } from '../../engine/model/plan-data.ts'
import { otherDocumentsNotes } from '../../engine/plan/other-documents.ts'
import type { Loaded } from '../../project/load.ts'
import type { Context } from '../context/context.ts'
import { counted } from '../render/text/counted.ts'

/** With --verbose, each of them. */
export function noteOtherDocuments(
  { print, globals }: Pick<Context, 'print' | 'globals'>,
  foreign: Loaded['foreign'] | NonNullable<Plan['other_documents']>,
): void {
  if (!globals.switch('verbose') || foreign.length === 0) return
  const places = foreign.map(({ file, line }) => `\n  ${file}:${line}`)
  print.note(`${counted(foreign.length, 'document')} of other tools ${foreign.length === 1 ? 'was' : 'were'} left alone:${places.join('')}`)
}

/** What a saved plan tells of them, which the manifests at hand may not show any more. */
export function tellOtherDocuments(context: Pick<Context, 'print' | 'globals'>, { other_documents: others = [] }: Plan): void {
  context.print.diagnostics(otherDocumentsNotes(others))
  noteOtherDocuments(context, others)
}
