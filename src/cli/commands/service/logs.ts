// `iac logs ADDRESS…`: what services of the managed cluster write, as it is or as it comes.
import type { Call, Query } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import type { ExitCode } from '../../../base/catalogue.ts'
import { instantMs } from '../../../base/instant.ts'
import { parseDuration } from '../../../base/units.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import type { Target } from '../../operating/find-object.ts'
import { findObjects, targetArgument } from '../../operating/find-object.ts'
import { followLog } from '../../operating/logs/follow-log.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'
import { jsonLogLines, logLines } from '../../render/log-lines.ts'
import { safeLine } from '../../render/text/sanitise.ts'

const MOST_TAIL = 1_000_000
const MOST_PODS = 1_000_000

export const logsCommand = defineCommand({
  summary: 'what services of the managed cluster write',
  about:
    'Prints the last lines of a log, or follows it until ^C: a connection that is lost is made anew, and goes on where it broke off. Several services are told together, each line behind its name.',
  arguments: [{ name: 'ADDRESS', about: `${targetArgument}; * stands for anything within one name`, many: true, operation: 'logs' }],
  flags: {
    follow: { type: 'switch', short: 'f', about: 'go on with what comes' },
    tail: { type: 'integer', value: 'N', least: 0, most: MOST_TAIL, about: 'the last lines alone (default 100)' },
    since: { type: 'text', value: 'D|T', about: 'what was written in the last 10m, or since an instant such as 2026-01-31T12:00:00Z' },
    pod: { type: 'list', value: 'N', about: 'a pod by its number, from 0 on (default 0)' },
  },
  without: ['file'],
  idle: ['lock-timeout', 'no-input'],
  examples: [
    { text: 'logs K3sService/shop --tail 20', about: 'the last lines' },
    { text: "logs 'K3sService/*' --follow --since 10m", about: 'all services of the state, with what comes' },
    { text: 'logs K3sService/shop --follow --json', about: 'an object per line, for programs' },
  ],
  async run(context, given) {
    const pods = podsOf(given)
    const since = sinceOf(given)
    const { targets, client } = await findObjects(context, given.arguments, 'logs')
    const query = { ...defined('tail', given.number('tail')), ...defined('since_seconds', await sinceSeconds(client, targets, since)) }
    const logs = targets.flatMap((target) => pods.map((pod) => logOf(target, pod)))
    return given.switch('follow') ? await follow(context, client, logs, query) : await show(context, client, logs, query)
  },
})

interface Log {
  readonly name: string
  readonly address: string
  readonly pod: number | undefined
  call(query: Query): Call
}

function logOf({ address, id, workspaceId, operations }: Target, pod: number | undefined): Log {
  return {
    name: pod === undefined ? address : `${address}#${pod}`,
    address,
    pod,
    call(query) {
      const asked = operations.logs?.(id, workspaceId, { ...query, ...defined('pod_index', pod) })
      if (!asked) throw usageFailure(`${address} has no log`)
      return asked
    },
  }
}

async function show({ print, globals }: Context, client: Client, logs: readonly Log[], query: Query): Promise<ExitCode> {
  const texts = await Promise.all(logs.map((log) => tellRefusal(refusalOf(log), client.text(log.call(query)))))
  const lineOf = globals.switch('json') ? jsonLogLines(logs) : logLines(namesOf(logs), print.palette)
  for (const [at, text] of texts.entries()) {
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
    if (text !== '') print.result(lines.map((line) => lineOf(at, line)).join(''))
  }
  return 0
}

async function follow({ print, surroundings, globals }: Context, client: Client, logs: readonly Log[], query: Query): Promise<ExitCode> {
  const { clock, stop, stdout } = surroundings
  const lineOf = globals.switch('json') ? jsonLogLines(logs) : logLines(namesOf(logs), print.palette)
  const unread = new AbortController()
  const signal = AbortSignal.any([stop, unread.signal])
  await Promise.all(
    logs.map(async (log, at) => {
      const following = followLog({
        client,
        clock,
        signal,
        call: log.call,
        query,
        print(line) {
          if (stdout.isGone) unread.abort()
          else print.result(lineOf(at, line))
        },
        note: (text) => print.note(safeLine(`${log.name}: ${text}`)),
      })
      if ((await tellRefusal(refusalOf(log), following)) === 'ended') print.note(safeLine(`${log.name}: the log has ended`))
    }),
  )
  return stop.aborted ? 130 : 0
}

function refusalOf({ address, pod }: Log): string {
  return pod === undefined ? `${address} has no log` : `${address} has no log of a pod ${pod}`
}

function namesOf(logs: readonly Log[]): readonly string[] {
  return logs.map((one) => one.name)
}

function podsOf(given: Given): readonly (number | undefined)[] {
  const words = given.list('pod')
  const wrong = words.find((word) => !/^\d{1,7}$/.test(word) || Number(word) > MOST_PODS)
  if (wrong !== undefined) throw usageFailure(`--pod ${wrong}: a pod is a number from 0 on`)
  return words.length === 0 ? [undefined] : [...new Set(words.map(Number))]
}

/** Milliseconds back from now, or an instant. */
type Since = { readonly backMs: number } | { readonly atMs: number } | undefined

function sinceOf(given: Given): Since {
  const text = given.text('since')
  if (text === undefined) return undefined
  const backMs = parseDuration(text)
  if (backMs !== undefined) return { backMs }
  const atMs = instantMs(text)
  if (Number.isNaN(atMs)) throw usageFailure(`--since ${text}: write a duration such as 10m, or an instant such as 2026-01-31T12:00:00Z`)
  return { atMs }
}

/** Unix time by the service's clock, which any answer tells. */
async function sinceSeconds(client: Client, [target]: readonly Target[], since: Since): Promise<number | undefined> {
  if (since === undefined) return undefined
  if ('atMs' in since) return Math.max(0, Math.floor(since.atMs / 1000))
  if (target) await client.read(target.operations.reading(target.id, target.workspaceId))
  return Math.max(0, Math.floor((client.serverNow() - since.backMs) / 1000))
}

function defined(name: string, value: number | undefined): Query {
  return value === undefined ? {} : { [name]: value }
}
