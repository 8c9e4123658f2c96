// Who holds a lock, as others are told.
import type { Owner } from '../../state/store.ts'
import type { Surroundings } from './surroundings.ts'

/** The owner for one run of a command. */
export function ownerOf(surroundings: Surroundings, operation: string): Owner {
  const { environment, user, host, processId, clock, randomBytes } = surroundings
  return {
    id: Buffer.from(randomBytes(16)).toString('hex'),
    operation,
    who: `${user}@${host}`,
    host,
    pid: processId,
    created: new Date(clock.wall()).toISOString(),
    run_url: runUrl(environment),
  }
}

/** The page of the CI job that runs this. */
function runUrl(environment: Surroundings['environment']): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = environment
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`
  return job === undefined || job === '' ? null : job
}
