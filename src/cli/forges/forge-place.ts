// Where a comment goes and who writes it, by the variables that each forge sets for its jobs.
import { isLoopback } from '../../api/base-url.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { isObject, parseJson } from '../../base/json.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

export const forgeNames = ['github', 'gitlab', 'gitea'] as const

export type ForgeName = (typeof forgeNames)[number]

/** One pull or merge request. */
export interface ForgePlace {
  /** Of the forge's API: https, or http on loopback; without a slash at its end. */
  readonly apiUrl: string
  /** `owner/name`; in GitLab also the number of a project. */
  readonly repository: string
  /** What people count pull and merge requests by, in decimal digits. */
  readonly number: string
}

type Environment = Surroundings['environment']

const tokenVariables: Readonly<Record<ForgeName, string>> = { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN', gitea: 'GITEA_TOKEN' }
const tokenHints: Readonly<Record<ForgeName, string>> = {
  github: 'give the job GITHUB_TOKEN: ${{ github.token }}, with the permission pull-requests: write',
  gitlab: 'give the job GITLAB_TOKEN, an access token of the project with the scope api; CI_JOB_TOKEN cannot write notes',
  gitea: 'give the job GITEA_TOKEN, a token with the scope write:issue',
}

/** The token of a forge; throws a Failure `forge_refused` that says which variable holds it. */
export function forgeToken(name: ForgeName, environment: Environment): string {
  const token = environment[tokenVariables[name]]?.trim() ?? ''
  if (token === '') throw failure('forge_refused', `${tokenVariables[name]} is not set`, { hint: tokenHints[name] })
  if (/^[\x21-\x7e]{1,8192}$/.test(token)) return token
  throw failure('forge_refused', `${tokenVariables[name]} holds characters that no token has`, { hint: 'give the token alone, on one line' })
}

/** What helps where the forge refuses the token. */
export function refusedHint(name: ForgeName): string {
  return tokenHints[name]
}

/** The place that the environment names; `event` reads the file of GITHUB_EVENT_PATH. Throws Failures 3 for what is missing or not allowed. */
export function forgePlace(name: ForgeName, environment: Environment, event: (path: string) => string | undefined): ForgePlace {
  if (name === 'gitlab') {
    const repository = given(environment['CI_MERGE_REQUEST_PROJECT_ID']) ?? given(environment['CI_PROJECT_ID'])
    return placeOf({ apiUrl: environment['CI_API_V4_URL'], repository, number: environment['CI_MERGE_REQUEST_IID'] }, gitlabNames)
  }
  const number = numberIn(environment, event)
  const repository = environment['GITHUB_REPOSITORY']
  if (name === 'github') return placeOf({ apiUrl: given(environment['GITHUB_API_URL']) ?? 'https://api.github.com', repository, number }, githubNames)
  // The runner of Gitea and Forgejo speaks in GitHub's names; on GitHub's own runners they mean GitHub.
  const isOwn = environment['GITEA_ACTIONS'] === 'true' || environment['FORGEJO_ACTIONS'] === 'true'
  const apiUrl = given(environment['GITEA_API_URL']) ?? (isOwn ? environment['GITHUB_API_URL'] : undefined)
  return placeOf({ apiUrl, repository, number }, giteaNames)
}

interface Names {
  readonly apiUrl: string
  readonly repository: string
  readonly number: string
}

const githubNames: Names = { apiUrl: 'GITHUB_API_URL', repository: 'GITHUB_REPOSITORY', number: 'GITHUB_EVENT_PATH or GITHUB_REF' }
const giteaNames: Names = { ...githubNames, apiUrl: 'GITEA_API_URL' }
const gitlabNames: Names = { apiUrl: 'CI_API_V4_URL', repository: 'CI_PROJECT_ID', number: 'CI_MERGE_REQUEST_IID' }

function placeOf(found: { readonly [Key in keyof Names]: string | undefined }, names: Names): ForgePlace {
  const [apiUrl, repository, number] = [given(found.apiUrl), given(found.repository), given(found.number)]
  if (apiUrl === undefined) throw failure('usage', `${names.apiUrl} is not set: it is not known where the forge is`, { hint: 'run this in a job of the forge' })
  if (repository === undefined || !/^(?:\d{1,18}|(?!\.+\/)[\w.-]+\/(?!\.+$)[\w.-]+)$/.test(repository))
    throw failure('usage', `${names.repository} names no repository`, { hint: 'run this in a job of the forge' })
  if (number === undefined || !/^[1-9]\d{0,17}$/.test(number))
    throw failure('usage', `${names.number} names no pull or merge request`, { hint: 'run this in a job that a pull or merge request starts' })
  return { apiUrl: checkedUrl(apiUrl, names.apiUrl), repository, number }
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

/** Of the event that started the job, else of the ref that it runs on. */
function numberIn(environment: Environment, event: (path: string) => string | undefined): string | undefined {
  const path = given(environment['GITHUB_EVENT_PATH'])
  const text = path === undefined ? undefined : event(path)
  const told = text === undefined ? undefined : eventNumber(text)
  return told ?? /^refs\/pull\/(\d+)\//.exec(environment['GITHUB_REF'] ?? '')?.[1]
}

function eventNumber(text: string): string | undefined {
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
  const number = one?.['number']
  return typeof number === 'number' ? `${number}` : undefined
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}
