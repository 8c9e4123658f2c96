// What is said under a plan that deletes of the documents that were taken for another tool's, in case one of them is a manifest.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { few } from '../../base/words/few.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Change, OtherDocument, Plan } from '../model/plan-data.ts'

/** The documents that were left alone, where a plan deletes; none where it does not. */
export function othersUnder({ foreign }: Pick<Project, 'foreign'>, changes: readonly Pick<Change, 'action'>[]): readonly OtherDocument[] {
  if (!changes.some(({ action }) => action === 'delete' || action === 'replace')) return []
  return foreign.map(({ file, line }) => ({ file, line }))
}

/** What a plan holds of them. */
export function besideDeletions(others: readonly OtherDocument[]): Pick<Plan, 'other_documents'> {
  return others.length === 0 ? {} : { other_documents: others }
}

/** How many they are, and where the first of them stand. */
export function otherDocumentsNotes(others: readonly OtherDocument[]): readonly Diagnostic[] {
  if (others.length === 0) return []
  const isOne = others.length === 1
  const what = isOne ? '1 document without apiVersion: iac/v1 was' : `${others.length} documents without apiVersion: iac/v1 were`
  const places = few(others.map(({ file, line }) => `${file}:${line}`))
  return [diagnostic('note', `${what} left alone as another tool's`, { detail: `${isOne ? 'It begins' : 'They begin'} at ${places}.` })]
}
