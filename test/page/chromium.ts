// A real browser for tests: Debian's Chromium, driven over the DevTools protocol through a pipe, so that no port is open.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import * as z from 'zod'

/** Where Debian puts it; undefined where it is not installed. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

/** Where `npm run coverage` wants to be told what the page's script ran. */
const coverageFolder = process.env['PAGE_COVERAGE_FOLDER']

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
  sessionId: z.string().optional(),
})
type Message = z.output<typeof message>

/** A page in the browser. `problems` are its errors, and requests to anywhere but loopback. */
export interface Tab {
  readonly problems: string[]
  readonly requested: string[]
  send(method: string, params?: object): Promise<unknown>
  goto(url: string): Promise<void>
  /** What an expression gives, by value; promises are waited for. */
  evaluate(expression: string): Promise<unknown>
  /** Waits until an expression is true; throws with the page's text after `withinMs`. */
  until(expression: string, withinMs?: number): Promise<void>
  /** Presses a key as a person would: by name, such as `Tab`, or one letter. */
  press(key: string): Promise<void>
  resize(width: number, height: number, isPhone?: boolean): Promise<void>
  media(features: Readonly<Record<string, string>>): Promise<void>
  screenshot(path: string): Promise<void>
  close(): Promise<void>
}

export interface Browser {
  open(): Promise<Tab>
  close(): Promise<void>
}

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  '--remote-debugging-pipe',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** Starts Chromium with a profile of its own. */
export async function startChromium(path: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'iac-chromium-'))
  const child = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const wire = wireOf(child)
  return {
    open: async () => await openTab(wire),
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      wire.send('Browser.close').catch(() => child.kill('SIGKILL'))
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface Wire {
  send(method: string, params?: object, sessionId?: string): Promise<unknown>
  listen(sessionId: string, heard: (event: Message) => void): void
}

/** Messages are JSON that ends with a NUL, both ways. */
function wireOf(child: ChildProcess): Wire {
  const [, , , input, output] = child.stdio
  if (!(input instanceof Writable) || !(output instanceof Readable)) throw new Error('chromium has no pipe')
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  const listeners = new Map<string, (event: Message) => void>()
  let count = 0
  let rest = ''
  function take(text: string): void {
    const one = message.parse(JSON.parse(text))
    if (one.id === undefined) return listeners.get(one.sessionId ?? '')?.(one)
    const call = waiting.get(one.id)
    waiting.delete(one.id)
    if (one.error) call?.reject(new Error(one.error.message))
    else call?.resolve(one.result)
  }
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) take(part)
  })
  input.on('error', () => undefined)
  child.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('chromium has ended'))
  })
  return {
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = (count += 1)
        waiting.set(id, { resolve, reject })
        input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`)
      }),
    listen: (sessionId, heard) => void listeners.set(sessionId, heard),
  }
}

const targetId = z.object({ targetId: z.string() })
const session = z.object({ sessionId: z.string() })
const evaluated = z.object({
  result: z.object({ value: z.unknown() }).partial(),
  exceptionDetails: z.object({ text: z.string(), exception: z.object({ description: z.string() }).partial().optional() }).optional(),
})
const said = z.object({ type: z.string(), args: z.array(z.object({ value: z.unknown(), description: z.string() }).partial()) })
const logged = z.object({ entry: z.object({ level: z.string(), text: z.string() }) })
const thrown = z.object({ exceptionDetails: z.object({ text: z.string(), exception: z.object({ description: z.string() }).partial().optional() }) })
const sent = z.object({ request: z.object({ url: z.string() }) })
const picture = z.object({ data: z.string() })

/** What a page says that it should not. */
function problemOf({ method, params }: Message): string | undefined {
  if (method === 'Runtime.exceptionThrown') {
    const { text, exception } = thrown.parse(params).exceptionDetails
    return exception?.description ?? text
  }
  if (method === 'Runtime.consoleAPICalled') {
    const { type, args } = said.parse(params)
    return type === 'error' || type === 'warning' || type === 'assert' ? args.map((one) => one.description ?? JSON.stringify(one.value)).join(' ') : undefined
  }
  if (method !== 'Log.entryAdded') return undefined
  const { level, text } = logged.parse(params).entry
  return level === 'error' || level === 'warning' ? text : undefined
}

/** A page that is being left answers no question; the one that comes does. */
function duringNavigation(error: unknown): undefined {
  if (!(error instanceof Error) || !/navigated or closed|context was destroyed|Cannot find context/.test(error.message)) throw error
}

async function openTab(wire: Wire): Promise<Tab> {
  const target = targetId.parse(await wire.send('Target.createTarget', { url: 'about:blank' }))
  const { sessionId } = session.parse(await wire.send('Target.attachToTarget', { ...target, flatten: true }))
  const problems: string[] = []
  const requested: string[] = []
  const send = (method: string, params?: object): Promise<unknown> => wire.send(method, params, sessionId)
  wire.listen(sessionId, (event) => {
    const problem = problemOf(event)
    if (problem !== undefined) problems.push(problem)
    if (event.method === 'Network.requestWillBeSent') requested.push(sent.parse(event.params).request.url)
  })
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`)
  if (coverageFolder !== undefined) {
    await send('Profiler.enable')
    await send('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }
  async function evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = evaluated.parse(await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }))
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  async function until(expression: string, withinMs = 20_000): Promise<void> {
    const end = performance.now() + withinMs
    const holds = (): Promise<unknown> => evaluate(`Boolean(${expression})`).catch(duringNavigation)
    while ((await holds()) !== true) {
      if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${expression}\n${String(await evaluate('document.body.innerText'))}`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  return {
    problems,
    requested,
    send,
    evaluate,
    until,
    async goto(url) {
      await send('Page.navigate', { url })
      await until("document.readyState === 'complete' && location.href !== 'about:blank'")
    },
    async press(key) {
      const stroke = strokeOf(key)
      await send('Input.dispatchKeyEvent', { type: stroke.text === undefined ? 'rawKeyDown' : 'keyDown', ...stroke })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke, text: undefined })
    },
    async resize(width, height, isPhone = false) {
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: isPhone ? 2 : 1, mobile: isPhone })
    },
    async media(features) {
      await send('Emulation.setEmulatedMedia', { features: Object.entries(features).map(([name, value]) => ({ name, value })) })
    },
    async screenshot(path) {
      await writeFile(path, Buffer.from(picture.parse(await send('Page.captureScreenshot', { format: 'png' })).data, 'base64'))
    },
    async close() {
      if (coverageFolder !== undefined) await keepCoverage(coverageFolder, { send, evaluate })
      await wire.send('Target.closeTarget', target)
    },
  }
}

const taken = z.object({ result: z.array(z.object({ url: z.string(), functions: z.array(z.unknown()) })) })

/** Leaves what ran of the page's script, and the script, for `npm run coverage`. */
async function keepCoverage(folder: string, { send, evaluate }: Pick<Tab, 'send' | 'evaluate'>): Promise<void> {
  const code = await evaluate('document.scripts[0].text')
  const scripts = taken.parse(await send('Profiler.takePreciseCoverage')).result.filter(({ url }) => url.startsWith('http'))
  await mkdir(folder, { recursive: true })
  for (const { functions } of scripts) await writeFile(join(folder, `${randomUUID()}.json`), JSON.stringify({ code, functions }))
}

const codes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, ' ': 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }

function strokeOf(name: string): {
  readonly key: string
  readonly code: string
  readonly windowsVirtualKeyCode: number
  readonly modifiers: number
  readonly text?: string
} {
  const [modifiers, key] = name.startsWith('Shift+') ? [8, name.slice(6)] : [0, name]
  const known = codes[key]
  const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined
  const code = key === ' ' ? 'Space' : known === undefined ? `Key${key.toUpperCase()}` : key
  return { key, code, windowsVirtualKeyCode: known ?? key.toUpperCase().charCodeAt(0), modifiers, ...(text === undefined ? {} : { text }) }
}
