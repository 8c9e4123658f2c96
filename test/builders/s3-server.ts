// A bucket of the tests' own: path style, conditional writes as they are promised, keys checked, and faults at any request.
import { createHash, createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** What a request may meet: a 500 or no answer before or after it was done, another status, silence, or a store that knows no conditions, or only ETags without their quotes. */
export type S3Fault =
  | 'fails before'
  | 'fails after'
  | 'lost before'
  | 'lost after'
  | 'silent'
  | 'ignores conditions'
  | 'compares bare tags'
  | { readonly status: number; readonly code: string }

type Met = S3Fault | undefined

export interface S3Request {
  readonly method: string
  readonly key: string
  /** Counts from 1. */
  readonly at: number
}

export interface S3Server {
  readonly origin: string
  readonly objects: Map<string, string>
  /** When each was written, in milliseconds. */
  readonly written: Map<string, number>
  /** Asked of each request that is signed with the right key, which is done once there is an answer. */
  hook: ((request: S3Request) => Met | Promise<Met>) | undefined
  requests: S3Request[]
  close(): Promise<void>
}

export const bucketName = 'states'
export const testKeys = { accessKeyId: 'AKIDTESTS', secretAccessKey: 'canary-of-the-bucket' } as const
const listed = 3

/** Whoever may call. */
interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const statusTexts: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  SignatureDoesNotMatch: 403,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  PreconditionFailed: 412,
}

interface Answered {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

/** Starts one on the loopback, at a port that is free unless one is given. */
export async function startS3({ port = 0, keys = testKeys }: { readonly port?: number; readonly keys?: Keys } = {}): Promise<S3Server> {
  const objects = new Map<string, string>()
  const written = new Map<string, number>()
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const own: S3Server = {
    origin,
    objects,
    written,
    hook: undefined,
    requests: [],
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '', origin)
    const [bucket = '', ...parts] = decodeURIComponent(url.pathname).slice(1).split('/')
    const [key, method] = [parts.join('/'), request.method ?? '']
    const wrong = refusal(request, body, bucket, keys)
    if (wrong !== undefined) return send(response, refused(wrong))
    const asked = { method, key, at: own.requests.length + 1 }
    own.requests.push(asked)
    const fault = await own.hook?.(asked)
    if (fault === 'silent') return
    if (fault === 'lost before') return void response.destroy()
    if (fault === 'fails before') return send(response, refused('InternalError'))
    if (typeof fault === 'object') return send(response, { ...refused(fault.code), status: fault.status })
    const done = method === 'GET' && key === '' ? list(objects, url.searchParams) : change(own, asked, request.headers, body, fault)
    if (fault === 'lost after') return void response.destroy()
    send(response, fault === 'fails after' ? refused('InternalError') : done)
  }
  return own
}

/** One object, in one turn: of those that come at the same time one is the first. */
function change({ objects, written }: S3Server, { method, key }: S3Request, headers: IncomingMessage['headers'], body: Buffer, fault: Met): Answered {
  const found = objects.get(key)
  if (method === 'DELETE') {
    objects.delete(key)
    return { status: 204 }
  }
  if (method === 'PUT') {
    const { 'if-none-match': none, 'if-match': match } = headers
    const isBlind = fault === 'ignores conditions'
    const tag = found === undefined ? '' : fault === 'compares bare tags' ? tagOf(found).replaceAll('"', '') : tagOf(found)
    if (!isBlind && none === '*' && found !== undefined) return refused('PreconditionFailed')
    if (!isBlind && match !== undefined && found === undefined) return refused('NoSuchKey')
    if (!isBlind && match !== undefined && found !== undefined && match !== tag) return refused('PreconditionFailed')
    objects.set(key, body.toString('utf8'))
    written.set(key, Date.now())
    return { status: 200, headers: { etag: tagOf(body.toString('utf8')) } }
  }
  if (found === undefined) return refused('NoSuchKey')
  return { status: 200, headers: { etag: tagOf(found), 'last-modified': new Date(written.get(key) ?? 0).toUTCString() }, text: found }
}

/** In parts of a few keys each, so that whoever lists has to go on. */
function list(objects: ReadonlyMap<string, string>, query: URLSearchParams): Answered {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? '']
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && `${key}&` > after).toSorted()
  const part = keys.slice(0, listed)
  const isCut = keys.length > listed
  const contents = part.map((key) => `<Contents><Key>${escaped(key)}</Key><ETag>&quot;x&quot;</ETag></Contents>`).join('')
  const next = isCut ? `<NextContinuationToken>${escaped(`${part.at(-1)}&<`)}</NextContinuationToken>` : ''
  return {
    status: 200,
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix/>${next}<IsTruncated>${isCut}</IsTruncated>${contents}</ListBucketResult>`,
  }
}

/** Why a request is refused: no signature over it and its body, another caller, another bucket. */
function refusal(request: IncomingMessage, body: Buffer, bucket: string, { accessKeyId, secretAccessKey }: Keys): string | undefined {
  const { authorization = '', 'x-amz-content-sha256': hash = '' } = request.headers
  const form = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[a-z0-9-]+\/s3\/aws4_request), ?SignedHeaders=(host;[a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
  const [, id, scope, names, signature] = form.exec(authorization) ?? []
  if (id !== accessKeyId || scope === undefined || names === undefined || hash !== sha256(body)) return 'AccessDenied'
  if (signature !== signatureOf(request, scope, names, secretAccessKey)) return 'SignatureDoesNotMatch'
  return bucket === bucketName ? undefined : 'NoSuchBucket'
}

/** The signature of version 4 as its description says, made anew from what arrived. */
function signatureOf({ method = '', url = '', headers }: IncomingMessage, scope: string, names: string, secret: string): string {
  const [path = '', query = ''] = url.split('?')
  const asked = query === '' ? [] : query.split('&').map((one) => again(one, '='))
  const said = names.split(';').map((name) => `${name}:${[headers[name]].flat().join(',')}\n`)
  const canonical = [method, again(path, '/'), asked.toSorted().join('&'), said.join(''), names, headers['x-amz-content-sha256']].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(Buffer.from(canonical))].join('\n')
  const key = scope.split('/').reduce<Buffer>((made, part) => hmac(made, part), Buffer.from(`AWS4${secret}`))
  return hmac(key, text).toString('hex')
}

/** The parts of a path or a query, encoded anew. */
function again(text: string, by: string): string {
  const parts = text.split(by).map((one) => strict(decodeURIComponent(one)))
  return parts.join(by)
}

function strict(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function refused(code: string): Answered {
  return { status: statusTexts[code] ?? 500, text: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>said by the store</Message></Error>` }
}

function send(response: ServerResponse, { status, headers = {}, text = '' }: Answered): void {
  response.writeHead(status, headers).end(text)
}

function tagOf(text: string): string {
  return `"${createHash('md5').update(text).digest('hex')}"`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
