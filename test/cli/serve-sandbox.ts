// Runs `iac sandbox` in this process, and ways to ask what runs there.
import { expect } from 'vitest'
import * as z from 'zod'
import type { JsonValue } from '../../src/base/json.ts'
import { parseJson } from '../../src/base/json.ts'
import { runCommand } from '../../src/cli/program.ts'
import { surroundingsFor } from './run-cli.ts'

/** What is printed when it is ready. */
export const addressSchema = z.looseObject({
  url: z.string(),
  token: z.string(),
  operator_token: z.string(),
  control_token: z.string(),
  password: z.string(),
  readings: z.record(z.string(), z.unknown()).optional(),
})
export type Address = z.output<typeof addressSchema>

type Ask = (method: string, path: string, body?: unknown) => Promise<JsonValue>

/** Ways to ask a sandbox that runs: its API, and its control routes. */
export function asking({ url, token, control_token: controlToken }: Pick<Address, 'url' | 'token' | 'control_token'>): {
  readonly api: Ask
  readonly control: Ask
} {
  const ask =
    (authorization: string, prefix: string): Ask =>
    async (method, path, body) => {
      const type = method === 'GET' ? {} : { 'content-type': 'application/json' }
      const init = { method, headers: { authorization: `Bearer ${authorization}`, ...type }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await fetch(url + prefix + path, init)
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : parseJson(text) }
    }
  return { api: ask(token, ''), control: ask(controlToken, '/_sandbox') }
}

/** Runs `iac sandbox` in this process while the work lasts. */
export async function serving(
  folder: string,
  words: readonly string[],
  work: (asked: ReturnType<typeof asking> & { readonly address: Address; readonly printed: { readonly stderr: string } }) => Promise<void>,
): Promise<void> {
  const printed = { stdout: '', stderr: '' }
  const stop = new AbortController()
  const ended = runCommand(['sandbox', '--json', ...words], { ...surroundingsFor({ folder }, printed), stop: stop.signal })
  const over = ended.then((code) => `ended with ${code}: ${printed.stderr}`)
  while (!printed.stdout.includes('\n')) {
    const failed = await Promise.race([over, new Promise<undefined>((resolve) => setTimeout(resolve, 5, undefined))])
    if (failed !== undefined) throw new Error(failed)
  }
  try {
    const address = addressSchema.parse(JSON.parse(printed.stdout))
    await work({ ...asking(address), address, printed })
  } finally {
    stop.abort()
    expect(await ended).toBe(0)
  }
}

/** Items of these names, in an answer. */
export const named = (...names: string[]) => ({ body: { items: expect.arrayContaining(names.map((name) => expect.objectContaining({ name }))) } })
export const idIn = (answer: JsonValue): string => z.object({ body: z.looseObject({ id: z.string() }) }).parse(answer).body.id
/** The seeded workspace's id. */
export const workspaceOf = async (control: Ask): Promise<string> =>
  z.object({ body: z.looseObject({ workspace: z.string() }) }).parse(await control('GET', '/health')).body.workspace
