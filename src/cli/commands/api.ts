// `iac api METHOD PATH`: any call of the API, with the same authentication, retries and pagination.
import * as z from 'zod'
import type { Call } from '../../api/call.ts'
import type { Client } from '../../api/client.ts'
import { compatSchema } from '../../api/compat.ts'
import type { Method, Route } from '../../api/routes/route.ts'
import { createWatcher } from '../../api/workflows.ts'
import { Failure, diagnostic, failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { parseJson } from '../../base/json.ts'
import { fieldsObject } from '../arguments/api-fields.ts'
import type { Given } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { textOfFile, textOfInput } from '../context/given-text.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const WAIT_MS = 60 * 60_000

export const apiCommand = defineCommand({
  summary: 'call the API directly',
  about: 'Sends any call with the same authentication, retries and pagination as every other command, and prints the answer as JSON.',
  arguments: [
    { name: 'METHOD', about: methods.join(', ') },
    { name: 'PATH', about: 'begins with /v1/' },
  ],
  flags: {
    field: {
      type: 'list',
      value: 'KEY=VALUE',
      short: 'F',
      about: 'a typed member of the body (or query of a GET): true, null, integers, text; a[b]=c nests, a[]=b adds to a list',
    },
    'raw-field': { type: 'list', value: 'KEY=TEXT', short: 'f', about: 'the same, always a text' },
    input: { type: 'text', value: 'FILE', about: 'the body as JSON, - for standard input' },
    paginate: { type: 'switch', about: 'every item of all pages' },
    wait: { type: 'switch', about: 'wait for the workflow that the answer names' },
  },
  without: ['file'],
  idle: ['env', 'var', 'var-file', 'lock-timeout', 'no-input', 'json'],
  examples: [
    { text: 'api GET /v1/workspaces --paginate', about: 'every workspace' },
    { text: 'api POST /v1/workspaces/1/vpcs -f name=main -f description=net -f range=10.0.0.0/24', about: 'make a VPC' },
  ],
  async run(context, given) {
    const call = await callOf(context, given)
    const client = await context.client(compatSchema.parse({}))
    if (call.route.methods[0] === 'GET') context.print.json(await readAnswer(client, call, given.switch('paginate')))
    else context.print.json(await sendAndWait(context, client, call, given.switch('wait')))
    return 0
  },
})

async function readAnswer(client: Client, call: Call, isPaginated: boolean): Promise<JsonValue> {
  if (isPaginated) return await client.all(call)
  const found = await client.read(call)
  if (found === undefined) throw failure('api_error', `the service answered 404 to GET ${call.route.path}`)
  return found
}

async function sendAndWait(context: Context, client: Client, call: Call, isWaiting: boolean): Promise<JsonValue> {
  const outcome = await client.send(call)
  if (outcome.is === 'rejected') throw outcome.error
  if (outcome.is === 'not sent') throw failure('unreachable', `nothing was sent: ${outcome.why}`)
  if (outcome.is === 'unknown')
    throw new Failure(8, [
      diagnostic('operation_unknown', `whether the call took effect is not known: ${outcome.why}`, { hint: 'look before sending it again' }),
    ])
  const { body, workflowId } = outcome.answer
  if (!isWaiting || workflowId === undefined) return body ?? null
  const { clock, random, stop } = context.surroundings
  const watched = await createWatcher({ client, clock, random }).watch(undefined, workflowId, { deadlineMs: WAIT_MS, signal: stop })
  if (watched.is === 'ended' && watched.state === 'COMPLETED') return body ?? null
  const how = watched.is === 'ended' ? `ended ${watched.state}` : watched.is === 'lost' ? `was lost: ${watched.why}` : 'did not end in time'
  throw new Failure(8, [diagnostic('operation_failed', `the workflow ${workflowId} ${how}`)])
}

async function callOf(context: Context, given: Given): Promise<Call> {
  const [name = '', path = ''] = given.arguments
  const method = methods.find((one) => one === name.toUpperCase())
  if (!method) throw usageFailure(`"${name}" is no method; use one of ${methods.join(', ')}`)
  const [route, query] = [routeFor(method, path), queryOf(path)]
  const fields = fieldsObject(given.list('field'), given.list('raw-field'))
  const input = given.text('input')
  if (input !== undefined && fields !== undefined) throw usageFailure('--input excludes --field and --raw-field')
  if (method === 'GET' && input !== undefined) throw usageFailure('--input is the body of a call, and a GET has none')
  if (method === 'GET') return { route, params: {}, query: { ...query, ...flat(fields) } }
  if (given.switch('paginate')) throw usageFailure('--paginate is for GET')
  const body = input === undefined ? fields : await inputOf(context, input)
  return { route, params: {}, query, ...(body === undefined ? {} : { body }) }
}

/** A route for a path as written: nothing is known of it, so everything is allowed. */
function routeFor(method: Method, text: string): Route {
  const path = text.split('?')[0] ?? ''
  if (!/^\/v1\/[\w./@-]+$/.test(path) || path.split('/').includes('..')) throw usageFailure(`"${text}" is no path of the API; it begins with /v1/`)
  const known = { methods: [method], path, section: '', params: {}, query: () => z.looseObject({}), statuses: [], access: 'any', asynchronous: false } as const
  return { ...known, methods: [method], body: () => z.unknown(), answer: { shape: 'undocumented' }, effect: method !== 'GET' }
}

function queryOf(text: string): Readonly<Record<string, string | readonly string[]>> {
  const at = text.indexOf('?')
  const pairs = at < 0 ? [] : [...new URLSearchParams(text.slice(at + 1))]
  const out: Record<string, string | readonly string[]> = {}
  for (const [key, value] of pairs) {
    const before = out[key]
    out[key] = before === undefined ? value : [before, value].flat()
  }
  return out
}

function flat(fields: Readonly<Record<string, JsonValue>> | undefined): Record<string, string | readonly string[]> {
  const entries = Object.entries(fields ?? {}).map(([key, value]): [string, string | readonly string[]] => {
    if (Array.isArray(value)) return [key, value.map(String)]
    if (typeof value === 'object' && value !== null) throw usageFailure(`${key} cannot stand in a query: it is nested`)
    return [key, String(value)]
  })
  return Object.fromEntries(entries)
}

async function inputOf(context: Context, file: string): Promise<JsonValue> {
  const text = file === '-' ? await textOfInput(context.surroundings) : textOfFile(file, context)
  try {
    return parseJson(text)
  } catch (error) {
    throw failure('file_unreadable', `${file} is no JSON`, { detail: error instanceof Error ? error.message : '' })
  }
}
