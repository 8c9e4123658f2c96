// Where the API is and who calls: the environment, or a profile in the user's configuration folder; never the project.
import { open } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import * as z from 'zod'
import { checkBaseUrl } from '../../api/base-url.ts'
import { checkToken } from '../../api/token.ts'
import { failure } from '../../base/diagnostic.ts'
import { parseJson } from '../../base/json.ts'
import { ownerProblem } from '../../base/own-files.ts'
import type { UserId } from '../../base/own-files.ts'
import type { Surroundings } from './surroundings.ts'

/** What a call needs; `session` tells the token of a stored profile from one that was given. */
export interface Credentials {
  readonly baseUrl: string
  readonly token: string
  readonly session: boolean
}

const profileSchema = z.strictObject({ base_url: z.string(), token: z.string(), expires: z.string().optional() })
const fileSchema = z.strictObject({ format: z.literal('iac-profiles/v1'), profiles: z.record(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/), profileSchema) })

/** A session that was stored for one address. */
type Profile = z.output<typeof profileSchema>

const LARGEST_TOKEN_BYTES = 16 * 1024
const LARGEST_PROFILES_BYTES = 1024 * 1024

/** The address and token of a run; throws a Failure 4 that names the ways there are, or 3 for an address that is not allowed. */
export async function findCredentials(surroundings: Surroundings): Promise<Credentials> {
  const { environment } = surroundings
  const wantedProfile = given(environment['IAC_PROFILE'])
  const address = given(environment['IAC_BASE_URL'])
  const baseUrl = address === undefined ? undefined : checkBaseUrl(address)
  const token = wantedProfile === undefined ? await givenToken(surroundings) : undefined
  if (baseUrl !== undefined && token !== undefined) return { baseUrl, token: checkToken(token), session: false }
  const profiles = await readProfiles(surroundings)
  const fitting = Object.entries(profiles).filter(
    ([name, one]) => (wantedProfile === undefined || name === wantedProfile) && (baseUrl === undefined || one.base_url === baseUrl),
  )
  const [only, more] = fitting
  if (token === undefined && only && !more) return { baseUrl: checkBaseUrl(only[1].base_url), token: checkToken(only[1].token), session: true }
  const detail = whatIsMissing({ address, token, wantedProfile, several: more !== undefined && token === undefined })
  throw failure('no_credentials', 'it is not known where the API is and who calls', {
    detail,
    hint: 'set IAC_BASE_URL and IAC_TOKEN (or IAC_TOKEN_FILE), or use --sandbox',
  })
}

function whatIsMissing(found: {
  readonly address: string | undefined
  readonly token: string | undefined
  readonly wantedProfile: string | undefined
  readonly several: boolean
}): string {
  if (found.several) return 'Several stored profiles fit. IAC_PROFILE names one.'
  if (found.wantedProfile !== undefined)
    return `No stored profile is called ${found.wantedProfile}${found.address === undefined ? '' : ' and is for the address in IAC_BASE_URL'}.`
  if (found.token !== undefined) return 'There is a token, and IAC_BASE_URL is not set.'
  return found.address === undefined ? 'IAC_BASE_URL is not set.' : 'IAC_BASE_URL is set, and there is no token.'
}

async function givenToken(surroundings: Surroundings): Promise<string | undefined> {
  const direct = given(surroundings.token)
  if (direct !== undefined) return direct
  const file = given(surroundings.environment['IAC_TOKEN_FILE'])
  return file === undefined ? undefined : await readTokenFile(file, surroundings)
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

/** The stored profiles by name; throws a Failure where the file can be read by others or is no such file. */
async function readProfiles(surroundings: Surroundings): Promise<Readonly<Record<string, Profile>>> {
  const path = join(configurationFolder(surroundings), 'profiles.json')
  const text = await textOf(path, surroundings)
  if (text === undefined) return {}
  try {
    return fileSchema.parse(parseJson(text)).profiles
  } catch {
    throw failure('no_credentials', `${path} is no list of profiles`, { hint: 'remove it, and set IAC_BASE_URL and IAC_TOKEN (or IAC_TOKEN_FILE)' })
  }
}

/** Reads what it has looked at: a link may lead there, as those of mounted secrets do, but nobody else may have written it. Throws Failure 4, or what the disk throws. */
async function readTrusted(path: string, userId: UserId, limitBytes: number): Promise<{ readonly text: string; readonly mode: number }> {
  const file = await open(path, 'r')
  try {
    const found = await file.stat()
    const problem = ownerProblem(found, userId)
    if (problem !== undefined) throw failure('no_credentials', `${path} ${problem}`, { detail: 'Whoever wrote it could make iac act for somebody else.' })
    if (found.size > limitBytes) throw failure('no_credentials', `${path} is larger than ${limitBytes} bytes`)
    return { text: await file.readFile('utf8'), mode: found.mode }
  } finally {
    await file.close()
  }
}

async function textOf(path: string, { userId }: Surroundings): Promise<string | undefined> {
  try {
    const { text, mode } = await readTrusted(path, userId, LARGEST_PROFILES_BYTES)
    if ((mode & 0o077) !== 0 && userId !== undefined) throw failure('no_credentials', `${path} can be read by others`, { hint: `chmod 600 ${path}` })
    return text
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw error
  }
}

function configurationFolder({ environment, homeFolder }: Surroundings): string {
  // One that is not absolute would lie in the project.
  const configured = [environment['XDG_CONFIG_HOME'], environment['APPDATA']].find((one) => one !== undefined && isAbsolute(one))
  return join(configured ?? join(homeFolder, '.config'), 'iac')
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}
