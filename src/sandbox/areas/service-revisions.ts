// Which revisions of a service of the managed cluster count: its own, and those that a workflow under way may bring back.
import type * as z from 'zod'
import type { ClusterServiceRow, ServiceRevision } from '../store/rows.ts'
import { clusterServiceRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'

/** What a workflow on a service found: its input, and what it puts back where it fails without a trace. */
export const serviceBefore = clusterServiceRow.pick({ status: true, revision: true, previous: true })

/** The revision of a service, and those that workflows under way on it may bring back: what they name is taken from nobody. */
export function heldRevisions(tables: Tables, row: ClusterServiceRow): readonly ServiceRevision[] {
  return [row.revision, ...foundOn(tables, row).map((found) => found.revision)]
}

/** The revision that the pods of a service were made of: until a rollout ends, the one that it found. */
export function runningRevision(tables: Tables, row: ClusterServiceRow): ServiceRevision {
  return foundOn(tables, row)[0]?.revision ?? row.revision
}

/** What the workflows under way on a service found, oldest first. */
function foundOn(tables: Tables, { id }: ClusterServiceRow): readonly z.output<typeof serviceBefore>[] {
  return tables.workflows.by('busy', `clusterServices/${id}`).map(({ input }) => serviceBefore.parse(input))
}
