// What an object that failed says itself, made safe to show: the end of its log without any secret of this run.
import { ApiError } from '../../api/calls/call.ts'
import { createReader } from '../model/live.ts'
import type { Current, Work } from './operation.ts'

const MOST_LINES = 10
const LONGEST_LINE = 300
// Ten lines were asked for; taking secrets out of more costs time for each of them.
const LONGEST_TEXT = 1024 * 1024

/** The last lines for an error's detail; undefined where the kind has none, or the service does not tell. */
export async function lastWords(work: Work, { kind, workspaceId, parents }: Current, id: string): Promise<string | undefined> {
  const { client, compat } = work.run
  if (!kind.lastWords) return undefined
  try {
    const text = await kind.lastWords(createReader(client, compat), id, { workspaceId, parents, wants: () => false })
    if (text.length > LONGEST_TEXT) return undefined
    const lines = client.secrets.clean(text).trimEnd().split(/\r?\n/).slice(-MOST_LINES)
    return lines.join('') === '' ? undefined : `Its log ends with:\n${lines.map((line) => line.slice(0, LONGEST_LINE)).join('\n')}`
  } catch (error) {
    if (error instanceof ApiError || (error instanceof Error && error.name === 'UnreachableError')) return undefined
    throw error
  }
}
