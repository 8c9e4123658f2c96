// Where the API is and who calls: the environment, or a profile in the user's configuration folder; never the project.
import { checkBaseUrl } from '../../api/calls/base-url.ts'
import { checkToken } from '../../api/token.ts'
import { failure } from '../../base/diagnostic.ts'
import { readProfiles, readTrusted } from './profiles.ts'
import type { Profile } from './profiles.ts'
import type { Surroundings } from './surroundings.ts'

/** A stored session, and what it is called. */
export interface NamedProfile {
  readonly name: string
  readonly profile: Profile
}

/** What a call needs; `stored` is the profile that the token comes from, undefined for one that was given. */
export interface Credentials {
  readonly baseUrl: string
  readonly token: string
  readonly stored: NamedProfile | undefined
}

const LARGEST_TOKEN_BYTES = 16 * 1024

/** The address and token of a run; throws a Failure 4 that names the ways there are, or 3 for an address that is not allowed. */
export async function findCredentials(surroundings: Surroundings): Promise<Credentials> {
  const { environment } = surroundings
  const wantedProfile = given(environment['IAC_PROFILE'])
  const address = given(environment['IAC_BASE_URL'])
  const baseUrl = address === undefined ? undefined : checkBaseUrl(address)
  const token = wantedProfile === undefined ? await givenToken(surroundings) : undefined
  if (baseUrl !== undefined && token !== undefined) return { baseUrl, token: checkToken(token.text, token.name), stored: undefined }
  const fitting = (await storedProfiles(surroundings, wantedProfile)).filter(({ profile }) => baseUrl === undefined || profile.base_url === baseUrl)
  const [only, more] = fitting
  if (token === undefined && only && !more) return { baseUrl: checkBaseUrl(only.profile.base_url), token: checkToken(only.profile.token), stored: only }
  const names = more === undefined || token !== undefined ? [] : fitting.map(({ name }) => name)
  throw failure('no_credentials', 'it is not known where the API is and who calls', {
    detail: whatIsMissing({ address, token: token?.text, wantedProfile, names }),
    hint:
      names.length > 0
        ? `set it, as in IAC_PROFILE=${names[0]}`
        : 'sign in with `iac login`, set IAC_BASE_URL and IAC_TOKEN (or IAC_TOKEN_FILE), or use --sandbox',
  })
}

/** The profiles that a name means, all without one. */
export async function storedProfiles(surroundings: Surroundings, wanted: string | undefined): Promise<readonly NamedProfile[]> {
  const all = Object.entries(await readProfiles(surroundings)).map(([name, profile]) => ({ name, profile }))
  return wanted === undefined ? all : all.filter(({ name }) => name === wanted)
}

/** The address for calls that need no token: IAC_BASE_URL, else that of the stored profiles, where it is one. Throws like findCredentials. */
export async function findBaseUrl(surroundings: Surroundings): Promise<string> {
  const address = given(surroundings.environment['IAC_BASE_URL'])
  if (address !== undefined) return checkBaseUrl(address)
  const stored = await storedProfiles(surroundings, given(surroundings.environment['IAC_PROFILE']))
  const [only, more] = new Set(stored.map(({ profile }) => profile.base_url))
  if (only !== undefined && more === undefined) return checkBaseUrl(only)
  const detail = only === undefined ? 'IAC_BASE_URL is not set.' : 'Profiles are stored for several addresses.'
  throw failure('no_credentials', 'it is not known where the API is', { detail, hint: 'name it with --url or in IAC_BASE_URL' })
}

function whatIsMissing(found: {
  readonly address: string | undefined
  readonly token: string | undefined
  readonly wantedProfile: string | undefined
  readonly names: readonly string[]
}): string {
  if (found.names.length > 0) return `Several stored profiles fit: ${found.names.join(', ')}. IAC_PROFILE names one.`
  if (found.wantedProfile !== undefined)
    return `No stored profile is called ${found.wantedProfile}${found.address === undefined ? '' : ' and is for the address in IAC_BASE_URL'}.`
  if (found.token !== undefined) return 'There is a token, and IAC_BASE_URL is not set.'
  return found.address === undefined ? 'IAC_BASE_URL is not set.' : 'IAC_BASE_URL is set, and there is no token.'
}

/** A token, and what messages call it. */
interface GivenToken {
  readonly text: string
  readonly name: string
}

async function givenToken(surroundings: Surroundings): Promise<GivenToken | undefined> {
  const direct = given(surroundings.token)
  if (direct !== undefined) return { text: direct, name: 'the token' }
  const file = given(surroundings.environment['IAC_TOKEN_FILE'])
  return file === undefined ? undefined : { text: await readTokenFile(file, surroundings), name: `the token in ${file}` }
}

async function readTokenFile(path: string, { userId }: Surroundings): Promise<string> {
  try {
    return (await readTrusted(path, userId, LARGEST_TOKEN_BYTES)).text.replace(/\r?\n$/, '')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw failure('no_credentials', `the token file ${path} cannot be read (${String(error.code)})`, {
      hint: 'IAC_TOKEN_FILE names a file that holds the token alone',
    })
  }
}

/** A variable's value; one that is empty is as good as none. */
export function given(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}
