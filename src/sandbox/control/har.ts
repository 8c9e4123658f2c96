// The request log as an HTTP Archive (HAR 1.2), for browsers' tools and others that read it; secrets are left out as in the log.
import { STATUS_CODES } from 'node:http'
import type { JsonObject } from '../../base/json.ts'
import { stringifyJson } from '../../base/json.ts'
import type { LoggedBody } from '../request/log/logged-body.ts'
import type { LoggedRequest } from '../request/log/request-log.ts'

const HTTP = 'HTTP/1.1'

/** What HAR has for a size that is not known. */
const UNKNOWN = -1

/**
 * An archive of requests; `base` is the address that their paths are below. Headers are not in the log, but for the message of an answer.
 * What HAR has no member for stands under names with an underscore, as it wants it. A request without an answer has the status 0.
 */
export function harOf(requests: readonly LoggedRequest[], base: string, version: string): JsonObject {
  return { log: { version: '1.2', creator: { name: 'iac sandbox', version }, entries: requests.map((one) => entryOf(one, base)) } }
}

function entryOf(one: LoggedRequest, base: string): JsonObject {
  const { at, durationMs, operation, outcome, fault } = one
  return {
    startedDateTime: at,
    time: durationMs,
    request: requestOf(one, base),
    response: responseOf(one),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _operation: operation,
    _outcome: outcome,
    _fault: fault,
  }
}

function requestOf({ method, path, requestBody }: LoggedRequest, base: string): JsonObject {
  const body = contentOf(requestBody)
  return {
    method,
    url: base + path,
    httpVersion: HTTP,
    cookies: [],
    headers: [],
    queryString: [...new URLSearchParams(path.split(/\?(.*)/s)[1])].map(([name, value]) => ({ name, value })),
    ...(body === undefined ? {} : { postData: body }),
    headersSize: UNKNOWN,
    bodySize: body === undefined ? 0 : UNKNOWN,
  }
}

function responseOf({ status, message, answerBody }: LoggedRequest): JsonObject {
  const body = contentOf(answerBody)
  return {
    status: status ?? 0,
    statusText: STATUS_CODES[status ?? 0] ?? '',
    httpVersion: HTTP,
    cookies: [],
    headers: message === null ? [] : [{ name: 'x-message', value: message }],
    content: body === undefined ? { size: 0, mimeType: '' } : { size: Buffer.byteLength(body.text), ...body },
    redirectURL: '',
    headersSize: UNKNOWN,
    bodySize: body === undefined ? 0 : UNKNOWN,
  }
}

/** A body as the log shows it: its JSON without secrets, or why it was left out. */
function contentOf(body: LoggedBody): { readonly mimeType: string; readonly text: string } | undefined {
  return body === null ? undefined : { mimeType: 'application/json', text: stringifyJson(body) }
}
