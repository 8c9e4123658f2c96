// What commands reckon from now when the machine's clock and the service's differ: the service's counts, though it has answered nothing yet.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signingIn } from '../builders/signing-in.ts'
import type { SigningIn } from '../builders/signing-in.ts'
import type { Ran } from './run-cli.ts'

const DAY_MS = 86_400_000

let user: SigningIn
beforeEach(async () => {
  user = await signingIn()
  await user.clock.advance(20 * DAY_MS)
})
afterEach(() => user.close())

const run = (line: string, token = user.sandbox.token): Promise<Ran> => user.run(line, { environment: { IAC_BASE_URL: user.url }, token })
/** How many days before the service's now an instant lies; after it, where that is negative. */
const daysAgo = (ms: number | null | undefined): number => (user.clock.wall() - (ms ?? Number.NaN)) / DAY_MS

test.each(['', ' --workspace default'])('a token of so many days ends that many from now%s', async (where) => {
  const made = await run(`tokens create edge --grant INSTANCE=READ --expires 30d${where}`)
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('Made the token edge')])
  expect(daysAgo(user.sandbox.world.tables.tokens.all().at(-1)?.expiresAtMs)).toBeCloseTo(-30, 3)
  for (const days of ['7d', '365d']) expect((await run(`tokens create edge-${days} --grant INSTANCE=READ --expires ${days}${where}`)).code).toBe(0)
})

test('an end is held against the time at the service', async () => {
  const at = (days: number): string => new Date(user.clock.wall() + days * DAY_MS).toISOString()
  const asked = (days: number): Promise<Ran> => run(`tokens create edge --grant INSTANCE=READ --expires ${at(days)}`)
  expect(await asked(5)).toMatchObject({ code: 3, stderr: expect.stringContaining('is not 7 to 365 days from now') })
  expect((await asked(360)).code).toBe(0)
})

test('what no time makes right is told before anything is sent', async () => {
  for (const words of ['3d', '366d', 'soon'])
    expect(await run(`tokens create edge --grant INSTANCE=READ --expires ${words}`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`--expires ${words}`),
    })
  expect(user.sandbox.usage.ofRoute('getUser')).toEqual({ accepted: 0, refused: 0 })
})

test('a rate that holds since so many days ago does since that many before now', async () => {
  const { rates } = user.sandbox.world.tables
  const rate = rates.by('type', 'CPU')[0]
  const set = await run(`prices set CPU ${rate?.id} --effective-from 7d --auto-approve`, user.sandbox.operatorToken)
  expect([set.code, set.stderr]).toEqual([0, expect.any(String)])
  expect(daysAgo(rates.get(rate?.id ?? '')?.effectiveFromMs)).toBeCloseTo(7, 3)
})
