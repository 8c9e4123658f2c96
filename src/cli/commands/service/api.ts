// `iac api METHOD PATH`: any call of the API, with the same authentication, retries and pagination.
import * as z from 'zod'
import { sentSecrets } from '../../../api/answers/secret-members.ts'
import type { Call } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import type { Method, Route } from '../../../api/routes/route.ts'
import { failure } from '../../../base/diagnostic.ts'
import type { JsonValue } from '../../../base/json.ts'
import { isList, parseJson } from '../../../base/json.ts'
import { isApproved } from '../../apply/question.ts'
import { fieldsObject } from '../../arguments/api-fields.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { textOfFile, textOfInput } from '../../context/given-text.ts'
import { compatHere } from '../../context/workspace-of.ts'
import { sendCall } from '../../operating/send-call.ts'
import { safeLine } from '../../render/text/sanitise.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const ownHeaders = new Set(
  'authorization host connection content-length content-type transfer-encoding accept-encoding expect te trailer upgrade user-agent'.split(' '),
)
// As part of a name: X-MFA, Proxy-Authorization, X-Api-Key.
const secretHeader = /auth|cookie|token|key|secret|pass|credential|session|mfa|otp/i
const shortestPart = 8

export const apiCommand = defineCommand({
  summary: 'call the API directly',
  about:
    'Sends any call with the same authentication, retries and pagination as every other command, and prints the answer: JSON, or a text as it is. A DELETE asks.',
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
    header: { type: 'list', value: 'NAME:VALUE', short: 'H', about: 'a header of the request' },
    input: { type: 'text', value: 'FILE', about: 'the body as JSON, - for standard input' },
    paginate: { type: 'switch', about: 'every item of all pages' },
    wait: { type: 'switch', about: 'wait for the workflow that the answer names' },
    'auto-approve': { type: 'switch', about: 'do not ask before a DELETE' },
  },
  without: ['file'],
  idle: ['env', 'var', 'var-file', 'lock-timeout', 'json'],
  examples: [
    { text: 'api GET /v1/workspaces --paginate', about: 'every workspace' },
    { text: 'api POST /v1/workspaces/1/vpcs -f name=main -f description=net -f range=10.0.0.0/24', about: 'make a VPC' },
  ],
  async run(context, given) {
    const call = await callOf(context, given)
    const [method] = call.route.methods
    if (method === 'DELETE' && !(await mayDelete(context, given, call))) return 1
    const client = await context.client(await compatHere(context))
    for (const text of [...sentSecrets(call.route.path, [call.query, call.body ?? null]), ...secretHeaderTexts(call.headers)]) client.secrets.add(text)
    const answer =
      method === 'GET' ? await readAnswer(client, call, given.switch('paginate')) : (await sendCall(context, client, call, { wait: given.switch('wait') })).body
    if (typeof answer === 'string') context.print.result(answer === '' || answer.endsWith('\n') ? answer : `${answer}\n`)
    else context.print.json(answer)
    return 0
  },
})

/** Asks before a call that deletes, as everything that deletes does. */
async function mayDelete(context: Context, given: Given, { route }: Call): Promise<boolean> {
  if (!given.switch('auto-approve') && given.text('input') === '-')
    throw failure('usage', 'this needs an approval, and standard input holds the body', { hint: 'add --auto-approve, or write the body to a file' })
  const question = { title: `Do you really want to DELETE ${safeLine(route.path)}?`, lines: ['There is no undo.'] }
  return await isApproved(context, given, question)
}

async function readAnswer(client: Client, call: Call, isPaginated: boolean): Promise<JsonValue> {
  if (isPaginated) return await client.all(call)
  const found = await client.read(call)
  if (found === undefined) throw failure('api_error', `the service answered 404 to GET ${call.route.path}`)
  return found
}

/** A call as it was written. */
interface WrittenCall extends Call {
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly body?: JsonValue
}

async function callOf(context: Context, given: Given): Promise<WrittenCall> {
  const [name = '', path = ''] = given.arguments
  const method = methods.find((one) => one === name.toUpperCase())
  if (!method) throw usageFailure(`"${name}" is no method; use one of ${methods.join(', ')}`)
  const [route, query] = [routeFor(method, path), queryOf(path)]
  const headers = headersOf(given.list('header'))
  const fields = fieldsObject(given.list('field'), given.list('raw-field'))
  const input = given.text('input')
  if (input !== undefined && fields !== undefined) throw usageFailure('--input excludes --field and --raw-field')
  if (method === 'GET' && input !== undefined) throw usageFailure('--input is the body of a call, and a GET has none')
  if (method === 'GET') return { route, params: {}, query: { ...query, ...flat(fields) }, headers }
  if (given.switch('paginate')) throw usageFailure('--paginate is for GET')
  const body = input === undefined ? fields : await inputOf(context, input)
  return { route, params: {}, query, headers, ...(body === undefined ? {} : { body }) }
}

/** A route for a path as written: nothing is known of it, so everything is allowed. */
function routeFor(method: Method, text: string): Route {
  const path = text.split('?')[0] ?? ''
  if (!/^\/v1\/[\w./@-]+$/.test(path) || path.split('/').includes('..')) throw usageFailure(`"${path}" is no path of the API; it begins with /v1/`)
  const known = { methods: [method], path, section: '', params: {}, query: () => z.looseObject({}), statuses: [], access: 'any', asynchronous: false } as const
  return { ...known, methods: [method], headers: () => z.looseObject({}), body: () => z.unknown(), answer: { shape: 'any' }, effect: method !== 'GET' }
}

/** Headers as given; throws a Failure `usage` for one that every call sets itself, or that is none. */
function headersOf(texts: readonly string[]): Readonly<Record<string, string>> {
  const out = new Map<string, string>()
  for (const text of texts) {
    const [, name = '', value = ''] = /^([A-Za-z0-9_-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?[ \t]*$/.exec(text) ?? []
    // What is no name, or stands behind one, may be a secret.
    const told = /^[A-Za-z0-9_-]+(?=:)/.exec(text)?.[0]
    if (name === '') throw usageFailure(`what -H ${told === undefined ? 'gives' : `gives for "${told}"`} is no header; write NAME:VALUE in printable ASCII`)
    const key = name.toLowerCase()
    if (ownHeaders.has(key)) throw usageFailure(`-H ${name}: every call sets this header itself`)
    if (out.has(key)) throw usageFailure(`-H ${name} is given twice`)
    out.set(key, value)
  }
  return Object.fromEntries(out)
}

/** What headers hold that sign somebody in, as a whole and by its longer parts: a service may quote one of several cookies. */
function secretHeaderTexts(headers: WrittenCall['headers']): readonly string[] {
  const values = Object.entries(headers).flatMap(([name, value]) => (secretHeader.test(name) ? [value] : []))
  return values.flatMap((value) => [value, ...value.split(/[\s;,=]+/).filter((part) => part.length >= shortestPart)])
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
    const texts = (isList(value) ? value : [value]).map((one) => {
      if (typeof one === 'object' && one !== null) throw usageFailure(`${key} cannot stand in a query: it is nested`)
      return String(one)
    })
    return [key, isList(value) ? texts : (texts[0] ?? '')]
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
