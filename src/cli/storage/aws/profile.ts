// A profile of the two files that the tools of AWS share: keys, and what else it says.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure } from '../../../base/diagnostic.ts'
import { ownerProblem } from '../../../base/files/own-files.ts'
import type { Credentials } from '../../../state/backends/s3/caller.ts'
import { given } from '../../surroundings/credentials.ts'
import type { Surroundings } from '../../surroundings/surroundings.ts'

/** Where a profile is looked for. */
export type Around = Pick<Surroundings, 'environment' | 'homeFolder' | 'userId'>

export interface Profile {
  readonly name: string
  /** Whether the environment names it. */
  readonly isNamed: boolean
  /** Where it was looked for. */
  readonly files: readonly [string, string]
  /** Undefined where neither file has it. Settings within others are `outer.inner`. */
  readonly settings: Readonly<Record<string, string>> | undefined
  readonly keys: Credentials | undefined
  /** Of S3: from `endpoint_url`, or that of the service. */
  readonly endpoint: string | undefined
}

const mostBytes = 1 << 20

/** Reads both files; Failure 4 for one that others can write to. */
export function readProfile({ environment, homeFolder, userId }: Around): Profile {
  const named = given(environment['AWS_PROFILE']) ?? given(environment['AWS_DEFAULT_PROFILE'])
  const name = named ?? 'default'
  const files = [
    given(environment['AWS_SHARED_CREDENTIALS_FILE']) ?? join(homeFolder, '.aws', 'credentials'),
    given(environment['AWS_CONFIG_FILE']) ?? join(homeFolder, '.aws', 'config'),
  ] as const
  const [ofKeys, ofAll] = [sectionsOf(readTrusted(files[0], userId)), sectionsOf(readTrusted(files[1], userId))]
  const sections = [ofKeys.get(name), ofAll.get(`profile ${name}`) ?? (name === 'default' ? ofAll.get(name) : undefined)]
  const settings = sections.some((one) => one !== undefined) ? { ...sections[1], ...sections[0] } : undefined
  const services = ofAll.get(`services ${settings?.['services'] ?? ''}`)
  const isIgnored = environment['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'] === 'true'
  return {
    name,
    isNamed: named !== undefined,
    files,
    settings,
    // Never a key of one file with the secret of the other.
    keys: keysOf(sections[0] ?? {}) ?? keysOf(sections[1] ?? {}),
    endpoint: isIgnored ? undefined : (given(services?.['s3.endpoint_url']) ?? given(settings?.['endpoint_url'])),
  }
}

/** Keys in the names of such a file; undefined where one of the pair is missing. */
export function keysOf(values: Readonly<Record<string, string | undefined>>): Credentials | undefined {
  const [accessKeyId, secretAccessKey] = [given(values['aws_access_key_id']), given(values['aws_secret_access_key'])]
  const sessionToken = given(values['aws_session_token'])
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey, sessionToken }
}

/** Lines `name = value` below headings `[SECTION]`; lines that are indented below a name without a value belong to that. */
function sectionsOf(text: string): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const sections = new Map<string, Record<string, string>>()
  let [section, outer]: [Record<string, string> | undefined, string] = [undefined, '']
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[\s*(.*?)\s*\]/.exec(line)?.[1]?.replaceAll(/\s+/g, ' ')
    const [, indent = '', name, value = ''] = /^(\s*)(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (heading !== undefined) {
      section = sections.get(heading) ?? {}
      sections.set(heading, section)
      outer = ''
    } else if (section && name !== undefined) {
      const isInner = indent !== '' && outer !== ''
      section[isInner ? `${outer}.${name.toLowerCase()}` : name.toLowerCase()] = value
      if (!isInner) outer = value === '' ? name.toLowerCase() : ''
    }
  }
  return sections
}

/** The text of a file that is the user's own, links followed; empty where there is none. Failure 4 for one that others can write to. */
export function readTrusted(path: string, userId: Surroundings['userId']): string {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return ''
  }
  try {
    const found = fstatSync(file)
    const problem = found.isFile() && found.size <= mostBytes ? ownerProblem(found, userId) : 'is no file of keys or settings'
    if (problem !== undefined) throw failure('state_refused', `what ${path} says of the caller is not used: it ${problem}`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
