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

/** Who had this run: the account that the runner of a pipeline names, with the page of its job, else the user of this machine. */
export function callerOf({ environment, user, host }: Surroundings): string {
  const { GITHUB_ACTOR: actor, GITLAB_USER_LOGIN: login } = environment
  const account = [actor, login].find((one) => one !== undefined && one !== '')
  return account === undefined ? `${user}@${host}` : [account, runUrl(environment)].filter((one) => one !== null).join(', ')
}

/** The page of the CI job that runs this. */
function runUrl(environment: Surroundings['environment']): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = environment
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`
  return job === undefined || job === '' ? null : job
}
