// The one issue that tells of a project's drift: opened, told anew, and closed when there is none left.
import { safeText } from '../render/text/sanitise.ts'
import { folderInRepository } from '../surroundings/repository.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { Wanted } from './comment-steps.ts'
import type { ForgeName, Repository } from './forge-place.ts'
import { forgeRepository, forgeToken } from './forge-place.ts'
import type { Done } from './keep-comment.ts'
import { keepComment } from './keep-comment.ts'
import { withIssues } from './open-forge.ts'
import { keysOf } from './project-keys.ts'

export interface Drifted {
  /** Of the project, as an absolute path. */
  readonly folder: string
  readonly project: string | null
  readonly environment: string | null
  /** When it was looked, in milliseconds since 1970. */
  readonly planMs: number
  /** What the issue says, as Markdown; undefined where nothing drifted. */
  readonly text: string | undefined
}

const longestTitle = 200
const verbs: Readonly<Record<Done['action'], string>> = { create: 'opened', update: 'updated', hide: 'updated', remove: 'closed' }

/** The repository of the job, checked together with the token before anything is read. Throws the Failures of both. */
export function issuePlace(name: ForgeName, { environment }: Surroundings): Repository {
  forgeToken(name, environment, 'issues')
  return forgeRepository(name, environment)
}

/** Says in a line each what was done. Throws the forge's Failures. */
export async function keepDriftIssue(name: ForgeName, place: Repository, drifted: Drifted, surroundings: Surroundings): Promise<readonly string[]> {
  const { folder, project, environment, planMs, text } = drifted
  const run = Buffer.from(surroundings.randomBytes(16)).toString('hex')
  const mark = { ...keysOf({ project, environment, tag: 'drift' }, folder), run, planMs, isHidden: false }
  const wanted: Wanted = { mode: text === undefined ? 'gone' : 'update', mark, text: text ?? '' }
  const within = folderInRepository(folder) ?? '.'
  const of = safeText(`${project ?? 'the project'}${environment === null ? '' : ` (${environment})`}${within === '.' ? '' : `, ${within}`}`).replaceAll(
    /\s+/g,
    ' ',
  )
  const title = `Drift in ${of}`.slice(0, longestTitle)
  const kept = await withIssues(name, { ...place, title }, surroundings, async (forge) => await keepComment(forge, wanted, surroundings.clock))
  if (kept.isOutdated) return [`the issue in ${place.repository} tells of a later look; this one is older`]
  const done = new Set(kept.done.map(({ action, id }) => `issue #${id} in ${place.repository} ${verbs[action]}`))
  return done.size > 0 || text === undefined ? [...done] : [`the issue in ${place.repository} is up to date`]
}
