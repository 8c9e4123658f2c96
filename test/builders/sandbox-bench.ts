// What tests of the sandbox begin with: a sandbox at a clock that stands still, callers of every level, and cases for rules.
import { describe, expect, test } from 'vitest'
import type { VirtualClock } from '../../src/base/clock.ts'
import { virtualClock } from '../../src/base/clock.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { parseJson, stringifyJson } from '../../src/base/json.ts'
import { hashOfCode } from '../../src/sandbox/request/caller.ts'
import type { SandboxRequest } from '../../src/sandbox/request/exchange.ts'
import type { GateRule } from '../../src/sandbox/request/rules.ts'
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { AccessLevel, InstanceRow, TokenRow } from '../../src/sandbox/store/rows.ts'
import type { Tables } from '../../src/sandbox/store/tables.ts'
import { instanceFields } from './instance-row.ts'

/** An answer with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue
}

/** A request as tests write it; `token` null sends no Authorization header. */
export interface TestCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** A sandbox with its clock, and short ways to fill and ask it. */
export interface Bench {
  readonly sandbox: Sandbox
  readonly clock: VirtualClock
  readonly tables: Tables
  readonly wid: string
  call(call: TestCall): Promise<Answer>
  /** A user with this level in the workspace `default`, by the code of a session. */
  member(level: AccessLevel | undefined): string
  /** A token of the owner with these columns, by its code. */
  token(fields: Partial<TokenRow>): string
  instance(fields?: Partial<InstanceRow>): InstanceRow
}

/** A request of a bench on its way, and what came back. */
export interface Reached {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** How the calls of benches get to their sandboxes. */
export type Reach = (sandbox: Sandbox, request: SandboxRequest) => Promise<Reached>

/** Without a socket. */
export const inProcess: Reach = async (sandbox, request) => {
  const { status, headers, text } = await sandbox.handle(request)
  return { status, headers, text: await text(10_000_000) }
}

/** The password of both accounts of benches and hosts. */
export const SANDBOX_PASSWORD = 'sandbox-password'

/** Codes that are the same in every run, so that one seed gives one world. */
export const knownCodes = { secret: 'known', password: SANDBOX_PASSWORD } as const

let reach: Reach = inProcess

/** From now on, every bench of this process calls in this way. */
export function reachBy(way: Reach): void {
  reach = way
}

/** Makes a bench; the clock moves by `advance` alone. */
export function createBench(options: Partial<SandboxOptions> = {}): Bench {
  const clock = virtualClock(Date.UTC(2026, 0, 1), false)
  const sandbox = createSandbox({ clock, ...knownCodes, ...options })
  const { tables } = sandbox.world
  const wid = sandbox.workspaceId
  const owner = tables.users.all()[0]
  if (!owner) throw new Error('the seed has no user')
  let count = 0
  function token(fields: Partial<TokenRow>): string {
    const code = `code-${(count += 1)}`
    const base = { name: code, codeHash: hashOfCode(code), expiresAtMs: null, origin: 'API', subject: 'USER', subjectId: owner?.id ?? '' } as const
    tables.tokens.insert({ ...base, userId: owner?.id ?? '', workspaceId: null, createdById: owner?.id ?? '', grants: {}, lastUsedMs: null, ...fields })
    return code
  }
  return {
    sandbox,
    clock,
    tables,
    wid,
    token,
    async call({ method, path, body, token: code = sandbox.token, headers: more = {} }) {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const headers = { ...type, ...more, ...(code === null ? {} : { authorization: `Bearer ${code}` }) }
      const response = await reach(sandbox, { method, path, headers, ...(body === undefined ? {} : { body: stringifyJson(body) }) })
      return { status: response.status, headers: response.headers, body: response.text === '' ? null : parseJson(response.text) }
    },
    member(level) {
      const { id } = tables.users.insert({ ...owner, id: `${9_000_000 + (count += 1)}`, email: `user-${count}@sandbox.test` })
      if (level !== undefined) tables.members.insert({ workspaceId: wid, userId: id, accessLevel: level })
      return token({ origin: 'SESSION', subjectId: id, userId: id, createdById: id })
    },
    instance: (fields = {}) => tables.instances.insert({ ...instanceFields, workspaceId: wid, ...fields }),
  }
}

/** How a rule is broken: what stands before, and the call that breaks it; `accepted` is the status without the rule. */
export interface RuleCase {
  readonly rule: string
  readonly accepted: number
  readonly options?: Partial<SandboxOptions>
  arrange(bench: Bench): TestCall | Promise<TestCall>
}

/** Tests each case with and without its rule, and that no rule is without a case. */
export function describeRules(area: string, rules: readonly Pick<GateRule, 'id' | 'status'>[], cases: readonly RuleCase[]): void {
  describe(`rules of ${area}`, () => {
    test.each(cases)('$rule', async ({ rule: id, accepted, options, arrange }) => {
      const strict = createBench(options)
      const refused = await strict.call(await arrange(strict))
      const relaxed = createBench({ ...options, without: [id] })
      const allowed = await relaxed.call(await arrange(relaxed))
      expect({ refused: refused.status, allowed: allowed.status }).toEqual({ refused: rules.find((one) => one.id === id)?.status, allowed: accepted })
      expect(refused.headers['x-message']).toMatch(/\w/)
    })
    test('every rule has a case', () => {
      expect([...new Set(cases.map((one) => one.rule))].toSorted()).toEqual([...new Set(rules.map((one) => one.id))].toSorted())
    })
  })
}
