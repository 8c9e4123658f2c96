// The sessions that were stored, one per name, in the user's configuration folder: the file as it is read.
import { open } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import * as z from 'zod'
import { Failure, failure } from '../../base/diagnostic.ts'
import { codeOf, ownerProblem } from '../../base/files/own-files.ts'
import type { UserId } from '../../base/files/own-files.ts'
import { parseJson } from '../../base/json.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { Surroundings } from './surroundings.ts'

/** What a session is stored as unless it is named. */
export const DEFAULT_PROFILE = 'default'

/** What a profile may be called. */
export const PROFILE_NAME = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/

const profileSchema = z.strictObject({
  base_url: z.string(),
  token: z.string(),
  /** By the service's clock. */
  expires: z.string().optional(),
  /** The id by which the session is revoked. */
  token_id: z.string().optional(),
  email: z.string().optional(),
})
const fileSchema = z.strictObject({ format: z.literal('iac-profiles/v1'), profiles: z.record(z.string().regex(PROFILE_NAME), profileSchema) })

/** A session that was stored for one address. */
export type Profile = z.output<typeof profileSchema>

/** All of them by name. */
export type Profiles = Readonly<Record<string, Profile>>

const LARGEST_PROFILES_BYTES = 1024 * 1024

/** Where the profiles are kept. */
export function profilesPath({ environment, homeFolder }: Pick<Surroundings, 'environment' | 'homeFolder'>): string {
  // One that is not absolute would lie in the project.
  const configured = [environment['XDG_CONFIG_HOME'], environment['APPDATA']].find((one) => one !== undefined && isAbsolute(one))
  return join(configured ?? join(homeFolder, '.config'), 'iac', 'profiles.json')
}

/** The stored profiles by name; throws a Failure 4 where the file can be read by others, or not at all, or is no such file. */
export async function readProfiles(surroundings: Pick<Surroundings, 'environment' | 'homeFolder' | 'userId'>): Promise<Profiles> {
  const path = profilesPath(surroundings)
  const text = await textOf(path, surroundings.userId)
  if (text === undefined) return {}
  try {
    return fileSchema.parse(parseJson(text)).profiles
  } catch {
    throw failure('no_credentials', `${path} is no list of profiles`, { hint: 'remove it, and sign in anew with `iac login`' })
  }
}

/** The text of the file that holds these, sorted by name. */
export function profilesText(profiles: Profiles): string {
  const sorted = Object.fromEntries(Object.entries(profiles).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return `${JSON.stringify({ format: 'iac-profiles/v1', profiles: sorted }, undefined, 2)}\n`
}

/** Reads what it has looked at: a link may lead there, as those of mounted secrets do, but nobody else may have written it. Throws Failure 4, or what the disk throws. */
export async function readTrusted(path: string, userId: UserId, limitBytes: number): Promise<{ readonly text: string; readonly mode: number }> {
  const file = await open(path, 'r')
  try {
    const found = await file.stat()
    const problem = ownerProblem(found, userId)
    if (problem !== undefined)
      throw failure('no_credentials', `${path} ${problem}`, {
        detail: 'Whoever wrote it could make iac act for somebody else.',
        hint: `if what is in it is yours: ${found.uid === userId ? '' : `make it a file of yours, and `}\`chmod 600 ${shellWord(path)}\``,
      })
    if (found.size > limitBytes) throw failure('no_credentials', `${path} is larger than ${limitBytes} bytes`)
    return { text: await file.readFile('utf8'), mode: found.mode }
  } finally {
    await file.close()
  }
}

async function textOf(path: string, userId: UserId): Promise<string | undefined> {
  try {
    const { text, mode } = await readTrusted(path, userId, LARGEST_PROFILES_BYTES)
    if ((mode & 0o077) !== 0 && userId !== undefined)
      throw failure('no_credentials', `${path} can be read by others`, { hint: `\`chmod 600 ${shellWord(path)}\`` })
    return text
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (error instanceof Failure || code === undefined) throw error
    throw failure('no_credentials', `${path} cannot be read (${code})`, {
      hint: 'IAC_BASE_URL and IAC_TOKEN (or IAC_TOKEN_FILE) do without it; XDG_CONFIG_HOME names another folder for it',
    })
  }
}
