// `iac sandbox`: the embedded service over HTTP on loopback, until it is stopped.
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { realClock } from '../../clock.ts'
import { stringifyJson } from '../../json.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { serveSandbox } from '../../sandbox/server.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../flags.ts'
import { usageFailure } from '../usage.ts'
import { openSandbox } from '../sandbox-folder.ts'
import { seedSandbox } from '../seed-sandbox.ts'
import { runningFile } from '../sandbox-running.ts'
import { writePrivate } from '../write-private.ts'

const profiles = ['instant', 'fast', 'realistic'] as const

export const sandboxCommand = defineCommand({
  summary: 'run the embedded service',
  about: 'Serves the whole API on loopback until it is stopped. Without --data nothing is kept.',
  arguments: [],
  flags: {
    port: { type: 'integer', value: 'N', least: 0, most: 65_535, about: 'the port (default: a free one)' },
    data: { type: 'text', value: 'FOLDER', about: 'where its data is kept' },
    seed: { type: 'text', value: 'PATH', about: 'manifests to begin with: a file or folder' },
    profile: { type: 'choice', value: 'NAME', choices: profiles, about: 'how long operations take (default fast)' },
    latency: { type: 'duration', value: 'D', about: 'how much later each answer comes' },
    'time-scale': { type: 'integer', value: 'N', least: 1, most: 100_000, about: 'how many seconds pass in one' },
  },
  idle: ['file', 'env', 'var', 'var-file', 'sandbox', 'parallelism', 'lock-timeout', 'no-input'],
  examples: [
    { text: 'sandbox --data ./sandbox-data', about: 'a service that keeps its data' },
    { text: 'sandbox --json', about: 'prints {"url","token"} on one line when it is ready' },
  ],
  async run(context, given) {
    const { surroundings, print, globals } = context
    surroundings.graceful(true)
    const opened = await openFor(context, given)
    const seed = given.text('seed')
    try {
      if (seed !== undefined) await seedSandbox(context, opened.sandbox, resolve(surroundings.workingFolder, seed), seed)
      const port = given.number('port')
      const server = await serve(opened.sandbox, port)
      const address = { url: server.url, token: opened.sandbox.token }
      const file = runningFile(context.folder)
      await mkdir(join(context.folder, '.iac'), { recursive: true, mode: 0o700 })
      await writePrivate(file, `${stringifyJson({ ...address, pid: surroundings.processId })}\n`)
      if (globals.switch('json')) print.result(`${stringifyJson(address)}\n`)
      else print.result(`The sandbox listens on ${server.url}\n  export IAC_BASE_URL=${server.url}\n  export IAC_TOKEN=${address.token}\n^C stops it.\n`)
      await stopped(surroundings.stop)
      await server.close()
      await rm(file, { force: true })
    } finally {
      await opened.close()
    }
    return 0
  },
})

async function openFor({ surroundings }: Context, given: Given): Promise<{ readonly sandbox: Sandbox; close(): Promise<void> }> {
  const latencyMs = given.number('latency')
  const scale = given.number('time-scale')
  const profile = profiles.find((one) => one === given.text('profile')) ?? 'fast'
  const clock = scale === undefined ? surroundings.clock : realClock(scale)
  const faults = latencyMs === undefined ? {} : { faults: { hook: () => ({ delayMs: latencyMs * (scale ?? 1) }) } }
  const data = given.text('data')
  if (data !== undefined) return await openSandbox(surroundings, resolve(surroundings.workingFolder, data), { profile, clock, ...faults })
  return { sandbox: createSandbox({ profile, clock, ...faults }), close: async () => undefined }
}

async function serve(sandbox: Sandbox, port: number | undefined): ReturnType<typeof serveSandbox> {
  try {
    return await serveSandbox({ sandbox, ...(port === undefined ? {} : { port }) })
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES'))
      throw usageFailure(`--port ${port} cannot be used (${error.code})`)
    throw error
  }
}

function stopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
}
