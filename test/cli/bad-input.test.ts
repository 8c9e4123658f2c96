// Every command is given what it cannot take: each says what is wrong and how it is written, prints no result, and leaves everything as it was.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Flag } from '../../src/cli/arguments/flags.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { flagText } from '../../src/cli/context/parse-command.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { manifest } from '../builders/project.ts'
import { badInput } from './bad-input-rows.ts'
import type { Ran } from './run-cli.ts'
import { newFolder, patientClock, runCli, testsClock } from './run-cli.ts'

const names = Object.keys(commandTable)
const rows = Object.entries(badInput)
const refused = rows.flatMap(([name, { refused: words, stdin = '' }]) => (words === undefined ? [] : [{ name, words, stdin }]))
const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
let url = ''
let close: () => Promise<void>

beforeAll(async () => {
  ;({ url, close } = await serveSandbox({ sandbox }))
})
afterAll(() => close())

/** A project of one VPC. */
function project(): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'name: main\ndescription: net\nrange: 10.0.0.0/24'))
  return folder
}

/** Runs what stands between spaces. */
async function run(line: string, more: { readonly folder?: string; readonly stdin?: string; readonly base?: string } = {}): Promise<Ran> {
  const { folder = project() } = more
  const words = line.split(' ').filter((word) => word !== '')
  return await runCli(words, { folder, clock: patientClock, environment: { IAC_BASE_URL: more.base ?? url }, token: sandbox.token, stdin: more.stdin ?? '' })
}

/** A usage error that says this, points to the command's help, and stands alone. */
const usage = (name: string, says: string): Ran => ({
  code: 3,
  stdout: '',
  stderr: expect.stringContaining(`error: ${says}\n  hint: see \`iac ${name} --help\`\n`),
})

/** What a flag of this type does not take, and what is said of it. */
function wrongFor(name: string, flag: Flag): readonly (readonly [words: string, says: string])[] {
  if (flag.type === 'integer') return [[`--${name} ${flag.most + 1}`, `--${name} must be an integer from ${flag.least} to ${flag.most}`]]
  if (flag.type === 'duration') return [[`--${name} soon`, `--${name} must be a duration such as 90s, 20m or 1h30m`]]
  if (flag.type === 'choice') return [[`--${name} none-of-them`, `--${name} must be one of ${flag.choices.join(', ')}`]]
  if (flag.type === 'switch' || (flag.type === 'text' && flag.optional)) return []
  return [[`--${name}`, `option '${flagText(name, flag)}' argument missing`]]
}

describe.each(names)('%s', (name) => {
  test('names a flag that is none, a word too many, and each value that does not fit its flag', async () => {
    const command = await commandTable[name]?.load()
    const taken = command?.arguments ?? []
    const words = taken.map((one) => one.choices?.[0] ?? 'word').join(' ')
    expect(await run(`${name} ${words} --no-such-flag`)).toEqual(usage(name, "unknown option '--no-such-flag'"))
    if (taken.every((one) => !one.many)) expect(await run(`${name} ${words} one-more`)).toEqual(usage(name, `argument ${taken.length + 1} is one too many`))
    if (taken.some((one) => !one.optional)) expect(await run(name)).toEqual(usage(name, `missing required argument '${taken[0]?.name}'`))
    for (const [flag, definition] of Object.entries(command?.flags ?? {})) {
      for (const [wrong, says] of wrongFor(flag, definition)) expect(await run(`${name} ${words} ${wrong}`)).toEqual(usage(name, says))
    }
  })
})

test.each(rows)('%s says what is wrong with what it was given', async (name, { words, says, code = 3, typed = '' }) => {
  const folder = project()
  const { code: ended, stdout, stderr } = await run(`${name} ${words}`, { folder, stdin: typed })
  expect([ended, stderr + stdout]).toEqual([code, expect.stringContaining(says)])
  expect(stderr + stdout).not.toMatch(/internal|undefined|\[object|\n {4}at /)
  // Beside the manifest there may be a cache and the place of the lock; there is no state.
  expect(readdirSync(folder).filter((one) => one !== 'home' && one !== '.iac')).toEqual(['main.yaml'])
  expect(existsSync(join(folder, '.iac/state.json'))).toBe(false)
})

test('a row stands for each command', () => {
  expect(rows.map(([name]) => name)).toEqual(names)
})

const nothing = (): void => undefined

/** A service that takes no token. It answers once each open connection has brought its request: what a command sends at once is there before the first answer, on a slow machine as well. */
async function refusingService() {
  const asked: string[] = []
  const answers = new Map<Socket, (() => void) | undefined>()
  let atOnce = 0
  const answerAll = (): void => {
    if ([...answers.values()].includes(undefined)) return
    atOnce ||= new Set(asked).size
    for (const [socket, answer] of answers) {
      answer?.()
      answers.set(socket, nothing)
    }
  }
  const server = createServer(({ method, url: path, socket }, response) => {
    asked.push(`${method} ${path}`)
    answers.set(socket, () => void response.writeHead(401, { 'content-type': 'application/json' }).end('{}'))
    answerAll()
  })
  server.on('connection', (socket) => {
    answers.set(socket, undefined)
    socket.on('close', () => answers.delete(socket) && answerAll())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { asked, atOnce: () => atOnce, close, base: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

test.each(refused)('$name ends with 4 where the service takes no token', async ({ name, words, stdin }) => {
  const service = await refusingService()
  try {
    const { code, stdout, stderr } = await run(`${name} ${words}`, { stdin, base: service.base })
    const routes = service.asked.slice(0, service.atOnce()).map((one) => one.split('?')[0])
    const [told = ''] = /(?<=the service answered 401 to )\S+ \S+/.exec(stdout + stderr) ?? []
    expect([code, routes]).toEqual([4, expect.arrayContaining([told.replace(/[,:;.]$/, '')])])
    expect(stdout + stderr).toMatch(/`iac (?:login|account reset)`/)
    expect(stdout + stderr).not.toContain(sandbox.token)
    // Everybody else's requests would fail the same way: none is sent but those that were sent with the first.
    expect(new Set(service.asked).size).toBeLessThanOrEqual(Math.max(2, service.atOnce()))
  } finally {
    service.close()
  }
})
