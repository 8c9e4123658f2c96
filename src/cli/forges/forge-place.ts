// Where comments and issues go and who writes them, by the variables that each forge sets for its jobs.
import { isLoopback } from '../../api/calls/base-url.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { isObject, parseJson } from '../../base/json.ts'
import { given } from '../surroundings/credentials.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { commitIn } from './posts.ts'

export const forgeNames = ['github', 'gitlab', 'gitea'] as const

export type ForgeName = (typeof forgeNames)[number]

/** One repository of a forge. */
export interface Repository {
  /** Of the forge's API: https, or http on loopback; without a slash at its end. */
  readonly apiUrl: string
  /** `owner/name`; in GitLab also the number of a project. */
  readonly repository: string
}

/** One pull or merge request. */
export interface ForgePlace extends Repository {
  /** What people count pull and merge requests by, in decimal digits. */
  readonly number: string
  /** The commit of the request that the job is of; undefined where its variables do not tell. */
  readonly commit?: string | undefined
}

type Environment = Surroundings['environment']

const tokenVariables: Readonly<Record<ForgeName, string>> = { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN', gitea: 'GITEA_TOKEN' }
/** What is written there. */
export type Written = 'comments' | 'issues'
const tokenHints: Readonly<Record<ForgeName, (written: Written) => string>> = {
  github: (written) => `give the job GITHUB_TOKEN: \${{ github.token }}, with the permission ${written === 'issues' ? 'issues' : 'pull-requests'}: write`,
  gitlab: () => 'give the job GITLAB_TOKEN, an access token of the project with the scope api; CI_JOB_TOKEN cannot write notes or issues',
  gitea: () => 'give the job GITEA_TOKEN, a token with the scope write:issue',
}

/** The token of a forge; throws a Failure `forge_refused` that says which variable holds it. */
export function forgeToken(name: ForgeName, environment: Environment, written: Written): string {
  const token = environment[tokenVariables[name]]?.trim() ?? ''
  if (token === '') throw failure('forge_refused', `${tokenVariables[name]} is not set`, { hint: tokenHints[name](written) })
  if (/^[\x21-\x7e]{1,8192}$/.test(token)) return token
  throw failure('forge_refused', `${tokenVariables[name]} holds characters that no token has`, { hint: 'give the token alone, on one line' })
}

/** What helps where the forge refuses the token. */
export function refusedHint(name: ForgeName, written: Written): string {
  return tokenHints[name](written)
}

/** The place that the environment names; `event` reads the file of GITHUB_EVENT_PATH. Throws Failures 3 for what is missing or not allowed. */
export function forgePlace(name: ForgeName, environment: Environment, event: (path: string) => string | undefined): ForgePlace {
  const target = name === 'gitlab' ? given(environment['CI_MERGE_REQUEST_PROJECT_ID']) : undefined
  const place = forgeRepository(name, target === undefined ? environment : { ...environment, CI_PROJECT_ID: target })
  const told = name === 'gitlab' ? undefined : eventIn(environment, event)
  const number = name === 'gitlab' ? given(environment['CI_MERGE_REQUEST_IID']) : (told?.number ?? refNumber(environment))
  const variable = name === 'gitlab' ? 'CI_MERGE_REQUEST_IID' : 'GITHUB_EVENT_PATH or GITHUB_REF'
  if (number === undefined || !/^[1-9]\d{0,17}$/.test(number))
    throw failure('usage', `${variable} names no pull or merge request`, { hint: 'run this in a job that a pull or merge request starts' })
  return { ...place, number, commit: name === 'gitlab' ? gitlabCommit(environment) : told?.commit }
}

/** The repository that a job runs for. Throws Failures 3 for what is missing or not allowed. */
export function forgeRepository(name: ForgeName, environment: Environment): Repository {
  const [url, variable] = apiUrlIn(name, environment)
  const named = name === 'gitlab' ? 'CI_PROJECT_ID' : 'GITHUB_REPOSITORY'
  const repository = given(environment[named])
  if (url === undefined) throw failure('usage', `${variable} is not set: it is not known where the forge is`, { hint: 'run this in a job of the forge' })
  if (repository === undefined || !/^(?:\d{1,18}|(?!\.+\/)[\w.-]+\/(?!\.+$)[\w.-]+)$/.test(repository))
    throw failure('usage', `${named} names no repository`, { hint: 'run this in a job of the forge' })
  return { apiUrl: checkedUrl(url, variable), repository }
}

/** Where the API is, and the variable that says so. */
function apiUrlIn(name: ForgeName, environment: Environment): readonly [string | undefined, string] {
  if (name === 'gitlab') return [given(environment['CI_API_V4_URL']), 'CI_API_V4_URL']
  if (name === 'github') return [given(environment['GITHUB_API_URL']) ?? 'https://api.github.com', 'GITHUB_API_URL']
  // The runner of Gitea and Forgejo speaks in GitHub's names; on GitHub's own runners they mean GitHub.
  const isOwn = environment['GITEA_ACTIONS'] === 'true' || environment['FORGEJO_ACTIONS'] === 'true'
  return [given(environment['GITEA_API_URL']) ?? (isOwn ? given(environment['GITHUB_API_URL']) : undefined), 'GITEA_API_URL']
}

function checkedUrl(text: string, variable: string): string {
  if (!URL.canParse(text)) throw notAllowed(variable, 'is not a URL')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') throw notAllowed(variable, 'holds a user or a password')
  if (url.search !== '' || url.hash !== '') throw notAllowed(variable, 'holds a query or fragment')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) throw notAllowed(variable, 'is not https')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function notAllowed(variable: string, why: string): Failure {
  return failure('bad_address', `${variable} ${why}`, { hint: 'write it as https://HOST/PATH; http is for loopback addresses only' })
}

interface Event {
  readonly number: string | undefined
  readonly commit: string | undefined
}

/** The event that started the job, where it is one of a request. */
function eventIn(environment: Environment, event: (path: string) => string | undefined): Event | undefined {
  const path = given(environment['GITHUB_EVENT_PATH'])
  const text = path === undefined ? undefined : event(path)
  return text === undefined ? undefined : readEvent(text)
}

/** Of the ref that a job runs on. */
function refNumber(environment: Environment): string | undefined {
  return /^refs\/pull\/(\d+)\//.exec(environment['GITHUB_REF'] ?? '')?.[1]
}

function readEvent(text: string): Event | undefined {
  let told: JsonValue
  try {
    told = parseJson(text)
  } catch {
    return undefined
  }
  if (!isObject(told)) return undefined
  const { pull_request: pull, issue } = told
  // A comment on a pull request starts a job with the issue that it is as well.
  const one = isObject(pull) ? pull : isObject(issue) && isObject(issue['pull_request']) ? issue : undefined
  const { number, head } = one ?? {}
  return { number: typeof number === 'number' ? `${number}` : undefined, commit: isObject(head) ? commitIn(head['sha']) : undefined }
}

/** A job of what the request would become runs on a merge, which the forge does not name as its head. */
function gitlabCommit(environment: Environment): string | undefined {
  const source = commitIn(given(environment['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA']))
  const isMerge = (given(environment['CI_MERGE_REQUEST_EVENT_TYPE']) ?? 'detached') !== 'detached'
  return source ?? (isMerge ? undefined : commitIn(given(environment['CI_COMMIT_SHA'])))
}
