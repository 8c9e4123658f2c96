// `iac doctor`: whether everything is there that a run needs, and the way out of what is not.
import { isLoopback } from '../../api/calls/base-url.ts'
import { ApiError, call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import { routes } from '../../api/routes/routes.ts'
import type { ExitCode } from '../../base/catalogue.ts'
import { failure } from '../../base/diagnostic.ts'
import { instantMs } from '../../base/instant.ts'
import { few } from '../../base/words/few.ts'
import { callerOf } from '../account/caller.ts'
import type { Caller } from '../account/caller.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { workspacesOf } from '../context/listed-objects.ts'
import { currentState } from '../context/state-access.ts'
import { compatHere, lookedIn } from '../context/workspace-of.ts'
import { checksText } from '../render/checks-text.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { counted } from '../render/text/counted.ts'
import { findCredentials } from '../surroundings/credentials.ts'
import type { Credentials } from '../surroundings/credentials.ts'
import { failureOf } from '../surroundings/failures.ts'

type Check = MachineDocument<'doctor'>['checks'][number]

/** What a look found: its words, and what it was about for those that follow. */
interface Looked<T> {
  readonly says: string
  readonly found: T
}

const DEFAULT_COLUMNS = 80
/** Codes of an authenticator are valid for half a minute before and after theirs. */
const MOST_SKEW_MS = 30_000
/** Hours are told of what ends within a day. */
const SOON_MS = 24 * 3_600_000

export const doctorCommand = defineCommand({
  summary: 'whether everything is there that a run needs',
  about:
    'Looks at the address of the API, the proxy, whether the service answers, the clock of this machine against it, the token, the role in the workspace of the project, and whether the state can be read; says of each what it found, and the way out of what is wrong. Changes nothing. The exit code is that of the first that failed.',
  arguments: [],
  flags: {},
  idle: ['lock-timeout', 'no-input', 'parallelism'],
  examples: [{ text: 'doctor', about: 'the first thing to run where something does not work' }],
  async run(context) {
    const { checks, code } = await allChecks(context)
    const { globals, print, surroundings } = context
    const shown: MachineDocument<'doctor'> = { ok: code === 0, checks: [...checks] }
    if (globals.switch('json')) print.json(shown)
    else print.result(checksText(checks, surroundings.stdout.size?.columns ?? DEFAULT_COLUMNS, print.palette))
    return code
  },
})

/** One after the other, since what comes later needs what came before. */
async function allChecks(context: Context): Promise<{ readonly checks: readonly Check[]; readonly code: ExitCode }> {
  const checks: Check[] = []
  let code: ExitCode = 0
  async function look<T>(name: string, work: (() => Promise<Looked<T>>) | undefined): Promise<T | undefined> {
    if (!work) return void checks.push({ name, ok: null, says: 'not looked at: what it needs has failed', code: null, hint: null })
    try {
      const { says, found } = await work()
      checks.push({ name, ok: true, says, code: null, hint: null })
      return found
    } catch (error) {
      const { exitCode, diagnostics } = failureOf(error)
      const [first] = context.print.placed(diagnostics)
      const says = [first?.summary, first?.detail].filter((one) => one !== undefined).join('. ')
      checks.push({ name, ok: false, says, code: first?.code ?? 'internal', hint: first?.hint ?? null })
      code = code === 0 ? exitCode : code
      return undefined
    }
  }
  const place = await look('address', () => addressFound(context))
  const client = await look('proxy', place && (() => proxyFound(context, place)))
  const told = await look('service', client && (() => serviceAnswers(client)))
  await look('clock', client && told && (() => clockFits(context, client)))
  const caller = await look('token', client && told && (() => tokenTaken(client, place?.stored)))
  await look('role', client && caller && (() => roleFound(context, client, caller)))
  await look('state', () => stateRead(context))
  return { checks, code }
}

type Place = Partial<Credentials>

async function addressFound({ surroundings, globals }: Context): Promise<Looked<Place>> {
  if (globals.switch('sandbox')) return { says: 'the embedded service', found: {} }
  const found = await findCredentials(surroundings)
  return { says: `${found.baseUrl}, ${found.stored ? `from the profile ${found.stored.name}` : 'from IAC_BASE_URL'}`, found }
}

/** Opening the way is what finds a proxy that is none. */
async function proxyFound(context: Context, { baseUrl }: Place): Promise<Looked<Client>> {
  const found = await context.client(await compatHere(context))
  const { environment } = context.surroundings
  const proxy = environment['HTTPS_PROXY'] ?? environment['https_proxy'] ?? ''
  if (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname) || proxy === '') return { says: 'none', found }
  const not = environment['NO_PROXY'] ?? environment['no_proxy'] ?? ''
  // Its user and password stay out.
  return { says: `${new URL(proxy).host}${not === '' ? '' : `, but for ${not}`}`, found }
}

/** A refusal is an answer, too: the token is looked at on its own. */
async function serviceAnswers(client: Client): Promise<Looked<true>> {
  try {
    await client.read(call(routes.getUser, { id: '@me' }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) throw error
  }
  return { says: 'it answers', found: true }
}

async function clockFits({ surroundings }: Context, client: Client): Promise<Looked<true>> {
  const aheadMs = surroundings.clock.wall() - client.serverNow()
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const says = `${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} that of the service`
  if (Math.abs(aheadMs) <= MOST_SKEW_MS) return { says: seconds <= 1 ? 'as that of the service' : says, found: true }
  throw failure('clock_skew', `the clock of this machine is ${says}`, { hint: 'set it, or let the machine set it from the network' })
}

async function tokenTaken(client: Client, stored: Credentials['stored']): Promise<Looked<Caller>> {
  const found = await callerOf(client, stored)
  const { user, token } = found
  const who = user === null ? 'of a workspace or a resource' : `of ${user.name ?? user.email ?? user.id ?? 'somebody'}`
  const expires = token?.expires ?? ''
  const until = expires === '' ? '' : `, until ${expires}`
  const leftMs = instantMs(expires) - client.serverNow()
  const soon = leftMs < SOON_MS ? ` (${counted(Math.floor(leftMs / 3_600_000), 'hour')} left)` : ''
  return { says: `${token?.origin === 'SESSION' ? 'a session' : 'a token'} ${who}${until}${soon}`, found }
}

/** The role in the project's workspace; where it names none, those in all that are visible. */
async function roleFound(context: Context, client: Client, { workspaces }: Caller): Promise<Looked<true>> {
  if (workspaces.length === 0)
    throw failure('unauthorized', 'no workspace is visible to the caller', {
      hint: 'make one, or accept an invite: `iac invites list`; a token sees them with the grant WORKSPACE=READ',
    })
  const { ref, idOf } = await lookedIn(context)
  const told = (one: (typeof workspaces)[number]): string => `${one.role ?? 'an unknown role'} in ${one.name ?? one.id ?? 'a workspace'}`
  if ('address' in ref && idOf(ref.address) === undefined) return { says: `owner of ${ref.address}, which the first apply makes`, found: true }
  if ('only' in ref && workspaces.length > 1) return { says: few(workspaces.map(told)), found: true }
  const [id] = await workspacesOf(client, { ref, everywhere: false, idOf }, 'set provider.workspace in iac.yaml to one of them')
  const one = workspaces.find((workspace) => workspace.id === id)
  if (!one)
    throw failure('workspace_invisible', `the workspace ${id ?? ''} of the project is not visible to the caller`, {
      hint: `visible: ${few(workspaces.map(told))}`,
    })
  return { says: `${told(one)}${one.role === 'VIEWER' ? ', which can look, and change nothing' : ''}`, found: true }
}

async function stateRead(context: Context): Promise<Looked<true>> {
  const { store, document, folded } = await currentState(context)
  const holder = await store.holder()
  const what = document ? `serial ${document.serial}, ${counted(folded.resources.size, 'resource')}` : 'none yet'
  return { says: `${what}, ${store.where}${holder ? `, locked by ${holder.who}` : ''}`, found: true }
}
