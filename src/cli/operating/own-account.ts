// Calls about the caller's own account: where they go, and what becomes of stored sessions that they end.
import { checkBaseUrl } from '../../api/calls/base-url.ts'
import type { Client } from '../../api/client.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import { forgetProfiles } from '../account/profile-store.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import type { Context } from '../context/context.ts'
import { workspacesOf } from '../context/listed-objects.ts'
import { compatHere } from '../context/workspace-of.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { findBaseUrl, findCredentials } from '../surroundings/credentials.ts'
import type { NamedProfile } from '../surroundings/credentials.ts'
import { DEFAULT_PROFILE } from '../surroundings/profiles.ts'

/** The flag of commands that need no token. */
export const urlFlag = {
  url: { type: 'text', value: 'URL', about: 'the address of the API (default: IAC_BASE_URL, or that of the profile)' },
} satisfies Flags

/** Global flags that mean nothing to commands about the account. */
export const idleForAccounts = ['file', 'env', 'var', 'var-file', 'parallelism', 'lock-timeout'] as const

/** A client for calls that need no token: it knows none, unless the service is the embedded one. */
export async function openClient(context: Context, given: Given): Promise<Client> {
  const compat = await compatHere(context)
  const url = given.text('url')
  if (context.globals.switch('sandbox')) return await context.client(compat)
  return await context.clientAt({ baseUrl: url === undefined ? await findBaseUrl(context.surroundings) : checkBaseUrl(url) }, compat)
}

/** The client of the caller, and the profile that it takes the token from. */
export async function ownClient(context: Context): Promise<{ readonly client: Client; readonly stored: NamedProfile | undefined }> {
  const stored = context.globals.switch('sandbox') ? undefined : (await findCredentials(context.surroundings)).stored
  return { client: await context.client(await compatHere(context)), stored }
}

/** Removes the stored sessions of the same person at the same address, which the service has ended, and says so. */
export async function forgetEnded({ surroundings, print }: Context, stored: NamedProfile | undefined): Promise<void> {
  if (!stored) return
  const { base_url: baseUrl, email } = stored.profile
  const isSame = ({ name, profile }: NamedProfile): boolean =>
    name === stored.name || (profile.base_url === baseUrl && email !== undefined && profile.email === email)
  const gone = await forgetProfiles(surroundings, isSame)
  if (gone.length === 0) return
  const words = `iac login --url ${shellWord(safeLine(baseUrl))}${stored.name === DEFAULT_PROFILE ? '' : ` --profile ${stored.name}`}`
  print.note(`Every session has ended, and is removed here (${gone.join(', ')}): sign in with \`${words}\`.`)
}

/** The id of a workspace that is named by its name or its id. Throws a Failure where none or several are called so. */
export async function workspaceNamed(client: Client, text: string): Promise<string> {
  if (/^[1-9]\d*$/.test(text)) return text
  const ref = { name: text, position: () => ({ file: '--workspace', line: 1, column: 1 }) }
  const [id = ''] = await workspacesOf(client, { ref, everywhere: false, idOf: () => undefined }, 'name it by its id')
  return id
}
