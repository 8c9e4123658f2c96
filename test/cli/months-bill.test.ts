// A user's afternoon with the month's bill: what things will cost, what they did, what is left, and what the staff does about it, over HTTP.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { exactMoneyText } from '../../src/cli/render/text/money-text.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import type { Counts } from '../stories/notes.ts'
import { emptyNotes } from '../stories/notes.ts'
import { operatingBench } from './operating-bench.ts'
import type { Ran } from './run-cli.ts'
import { newFolder, runCli } from './run-cli.ts'
import { serving } from './serve-sandbox.ts'

const DAY_MS = 86_400_000
const manifests = `apiVersion: iac/v1
kind: Instance
metadata: { name: web }
spec: { type: PLAN, plan: ryzen-4, region: fra-1, vpcs: [main] }
---
apiVersion: iac/v1
kind: Vpc
metadata: { name: main }
spec: { name: main-net, description: net, range: 10.0.0.0/24 }
---
apiVersion: iac/v1
kind: Disk
metadata: { name: data }
spec: { name: data, size: 100GiB, backend: LOCAL, region: fra-1 }
---
apiVersion: iac/v1
kind: DhcpSettings
metadata: { name: web }
spec: { instance: web, enabled: true }
`

interface Office {
  readonly user: (...words: string[]) => Promise<Ran>
  readonly staff: (...words: string[]) => Promise<Ran>
  readonly asked: (stdin: string, ...words: string[]) => Promise<Ran>
  readonly terminal: (...words: string[]) => Promise<Ran>
  readonly pass: (days: number) => Promise<unknown>
  /** What the manifests say from now on. */
  readonly write: (text: string) => void
}

/** A project in a folder, two people with a token each, and a service whose time stands until it is moved. */
async function office(use: (office: Office) => Promise<void>): Promise<void> {
  await serving(newFolder(), ['--clock', 'frozen', '--profile', 'instant'], async ({ address, control }) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'main.yaml'), manifests)
    await control('POST', '/clock/advance', { to: `${new Date().getUTCFullYear() + 1}-03-01T00:00:00Z` })
    const environment = { IAC_BASE_URL: address.url }
    const read = async (): Promise<Counts> => coverage.parse(await control('GET', '/coverage')).body.routes
    const running =
      (token: string, more: Partial<Parameters<typeof runCli>[1]> = {}) =>
      (...words: string[]) =>
        notes.during(words, read, () => runCli(words, { folder, environment, token, ...more }))
    const pass = (days: number): Promise<unknown> => control('POST', '/clock/advance', { ms: days * DAY_MS })
    await use({
      user: running(address.token),
      staff: running(address.operator_token),
      asked: (stdin, ...words) => running(address.operator_token, { stdin })(...words),
      terminal: running(address.token, { terminal: { columns: 80, rows: 24 } }),
      pass,
      write: (text) => writeFileSync(join(folder, 'main.yaml'), text),
    })
  })
}

const schemas = allSchemas(kinds)
const coverage = z.object({ body: z.object({ routes: z.array(z.object({ name: z.string(), section: z.string(), accepted: z.number() })) }) })
const notes = emptyNotes()

/** A document that fits the schema of its shape. */
function fitting(shape: string, { code, stdout, stderr }: Ran): Record<string, never> {
  expect(code, stderr).toBe(0)
  const document = JSON.parse(stdout)
  expect(schemaProblems(schemas[`${shape}.schema.json`] ?? {}, document)).toEqual([])
  return document
}

test('what was planned is what is billed, and the bill says for what', async () => {
  await office(async ({ user, pass }) => {
    expect((await user('cost')).stdout).toContain('Total: 0.00 -> 21.84 USD a month (+21.84 a month, +0.032500 an hour).')
    expect((await user('apply', '--auto-approve')).code).toBe(0)
    await pass(10)

    const bill = (await user('usage')).stdout
    expect((await user('usage', '--help')).stdout.replaceAll(/\s+/g, ' ')).toContain('without --from, too, the end of this month')
    expect(bill).toMatch(/^From \d{4}-03-01 until \d{4}-04-01 \(UTC\)\n\nworkspace default \(\d+\)\n/)
    expect(bill).toMatch(/^Instance\/web +INSTANCE +web +\d+ +10d +7\.20$/m)
    expect(bill).toMatch(/^Disk\/data +DISK +data +\d+ +10d +0\.60$/m)
    // The dearest first: what nobody declared, too.
    expect(bill.indexOf('metal-1')).toBeLessThan(bill.indexOf('Instance/web'))

    const one = await user('usage', 'Instance/web', '--from', '1d')
    expect(one.stdout).toMatch(/workspace default \(\d+\)[\s\S]*Instance\/web +INSTANCE +web +\d+ +1d +0\.72\n\nIn this workspace: 0\.72 USD\n$/)
    expect((await user('usage', '*/data')).code).toBe(3)
    const metal = JSON.parse((await user('get', 'dediboxes', 'metal-1', '--json')).stdout)
    for (const word of ['Dedibox/metal-1', `Dedibox/${metal.id}`])
      expect((await user('usage', word, '--from', '1d')).stdout, word).toMatch(/^Dedibox\/metal-1 +DEDIBOX +metal-1 +\d+ +1d +/m)
    const both = fitting('usage', await user('usage', 'Instance/*', '--json'))
    expect(both).toMatchObject({ total_cost: '7200000', workspaces: [{ resources: [{ address: 'Instance/web', minutes: 14_400, cost: '7200000' }] }] })
    fitting('usage', await user('usage', '--all', '-o', 'json'))
    const rows = (await user('usage', '--all', '-o', 'csv')).stdout.split('\n')
    expect(rows[0]).toBe('workspace_id,workspace_name,address,resource_id,resource_kind,resource_name,minutes,cost_micro_usd')
    expect(rows).toContainEqual(expect.stringMatching(/^\d+,default,Disk\/data,\d+,DISK,data,14400,600000$/))
  })
})

test('what costs nothing, and periods that are none, are said to be so', async () => {
  await office(async ({ user }) => {
    await user('apply', '--auto-approve')
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [['usage', 'Vpc/main'], /nothing of Vpc\/main is metered/],
      // It has the id of its instance.
      [['usage', 'DhcpSettings/web'], /nothing of DhcpSettings\/web is metered/],
      [['usage', 'Instance/wbe'], /did you mean Instance\/web\?/],
      [['usage', 'Instance/web', '--all'], /--all excludes ADDRESS/],
      [['usage', '--from', 'yesterday'], /--from must be a day such as/],
      [['usage', '--from', '2026-02-30'], /--from must be a day such as/],
      [['usage', '--from', '2026-10', '--to', '2026-09'], /--to must lie behind --from/],
      [['usage', '--to', '2020-01-01'], /give --from, too/],
      [['usage', '--from', '2200-01'], /--from lies in the future/],
      [['usage', 'Sever/web'], /no kind is called Sever/],
      [['wallet', '--from', '7d'], /are of `iac wallet history`/],
      [['wallet', '-o', 'csv'], /needs one of balance, grants/],
      [['wallet', '--user', 'me'], /"me" is no user/],
    ]
    for (const [words, said] of wrong) expect(await user(...words), words.join(' ')).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(said) })
    const nowhere = { folder: newFolder(), environment: { IAC_BASE_URL: 'http://127.0.0.1:1' }, token: 'a'.repeat(40) }
    for (const words of [
      ['--from', 'tomorrow'],
      ['--from', '2026-02-30'],
      ['--from', '2026-10', '--to', '2026-09'],
    ])
      for (const command of [['usage'], ['wallet', 'history']]) expect((await runCli([...command, ...words], nowhere)).code, words.join(' ')).toBe(3)
    expect((await user('usage', '--from', '2020-01', '--to', '2020-02')).stdout).toContain('Nothing that is metered.')
  })
})

const walletSchema = z.object({ balance: z.object({ balance: z.string(), usage: z.string() }) })

test('the wallet tells what is left, exactly, and how it came so', async () => {
  await office(async ({ user, terminal, staff, pass }) => {
    await user('apply', '--auto-approve')
    await pass(3)
    const overview = await user('wallet')
    expect(overview).toMatchObject({ code: 0, stderr: '' })
    expect(overview.stdout).toMatch(/^Balance: +\d+\.\d+ USD\nUsed in this billing period: [\d.]+ USD\n/)
    expect(overview.stdout).toMatch(/Latest movements:\n\nTIME[^\n]+\n[^\n]+TOP_UP +10000\.00/)
    const { balance } = walletSchema.parse(fitting('wallet', await user('wallet', 'balance', '--json')))
    expect(overview.stdout).toContain(`Used in this billing period: ${exactMoneyText(BigInt(balance.usage))} USD`)

    const days = (await user('wallet', 'history', '--from', '3d', '-o', 'csv')).stdout.trimEnd().split('\n')
    expect(days).toHaveLength(4)
    expect(days.at(-1)).toMatch(new RegExp(`,${balance.balance}$`))
    expect(fitting('wallet', await user('wallet', 'history', '--window', 'month', '--json'))).toMatchObject({ balance: null, grants: null })
    expect((await user('wallet', 'history')).stdout).toMatch(/^FROM +TO +USED \(USD\) +BALANCE \(USD\)\n/)
    const chart = (await terminal('wallet', 'history', '--from', '3d')).stdout
    expect(chart).toMatch(/^Balance in USD\n/)
    expect(chart).toContain('┤')
    expect(chart.split('\n').every((line) => line.length <= 80)).toBe(true)
    // One day alone is no line.
    expect(await terminal('wallet', 'history', '--from', '1d')).toMatchObject({
      stdout: expect.stringMatching(/^FROM/),
      stderr: 'a chart needs two points at least\n',
    })
    expect(await user('wallet', '--user', '1')).toMatchObject({ code: expect.any(Number), stdout: '' })

    const coupon = await staff('api', 'POST', '/v1/coupons', '-F', 'amount=5000000', '-F', 'uses=1', '-f', 'code=WELCOME')
    expect(coupon.code).toBe(0)
    await staff('api', 'POST', '/v1/coupons', '-F', 'amount=1', '-F', 'uses=1', '-f', 'code=TINY')
    expect(fitting('redeemed', await user('coupons', 'redeem', 'TINY', '--json'))).toMatchObject({ amount: '1', flags: [] })
    const redeemed = await user('coupons', 'redeem', 'WELCOME')
    expect(redeemed.stdout).toMatch(/^Redeemed: 5\.00 USD, it expires \d{4}-04-03 [\d:]+ \(UTC\)\.\n|^Redeemed: 5\.00 USD, it expires \d{4}-04-03 \(UTC\)\.\n/)
    expect(await user('coupons', 'redeem', 'WELCOME')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the coupon is not redeemed: the coupon was redeemed already\n'),
    })
    expect(await user('coupons', 'redeem', 'NOPE')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the coupon is not redeemed: coupon not found\n'),
    })
    expect((await user('wallet', 'grants')).stdout).toMatch(/^coupon +5\.00 .* WELCOME /m)
  })
})

test('the staff gives, corrects and pays back, is asked first, and others are told that it is theirs', async () => {
  await office(async ({ user, staff, asked }) => {
    const owner = z.object({ id: z.string() }).parse(JSON.parse((await user('api', 'GET', '/v1/users/@me')).stdout)).id
    const { balance: before } = walletSchema.parse(fitting('wallet', await staff('wallet', 'balance', '--user', owner, '--json')))
    const after = (micro: bigint): string => String(BigInt(before.balance) + micro)
    const top = ['wallet', 'topup', owner, '25.000001', '--reference', 'invoice-17']
    expect(await staff(...top, '--no-input')).toMatchObject({ code: 3, stderr: expect.stringContaining('add --auto-approve') })
    expect(await asked('no\n', ...top)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Nothing was sent.') })
    expect(await asked('yes\n', ...top)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Grant \d+: 25\.000001 USD, payment reference invoice-17\n$/),
    })
    // The same payment is not given twice.
    const again = fitting('wallet-grant', await staff(...top, '--auto-approve', '--json'))
    expect(again).toMatchObject({ amount: '25000001', reference: 'invoice-17' })
    expect(await user(...top, '--auto-approve')).toMatchObject({ code: 4, stderr: expect.stringContaining("an operator's session") })
    const made = await staff('wallet', 'topup', owner, '1', '--auto-approve')
    expect(made.stderr).toMatch(/^payment reference: iac-[0-9a-f-]{36} /)
    // Where the answer is lost, nothing else tells it.
    for (const flag of ['--json', '--quiet'])
      expect((await staff('wallet', 'topup', '7', '1', '--no-input', flag)).stderr).toMatch(/^payment reference: iac-[0-9a-f-]{36} /)

    expect((await staff('wallet', 'adjust', owner, '--memo', 'billed twice', '--auto-approve', '--', '-2.50')).stdout).toContain(
      `Balance:                     ${exactMoneyText(BigInt(after(23_500_001n)))} USD\n`,
    )
    expect(fitting('wallet-balance', await staff('wallet', 'refund', owner, '5', '--reference', 'r-3', '--auto-approve', '--json'))).toMatchObject({
      balance: after(18_500_001n),
    })
    const credit = await staff('wallet', 'coupon', owner, '10', '--code', 'SORRY', '--expiry-days', '90', '--auto-approve')
    expect(credit.stdout).toMatch(/^Grant \d+: 10\.00 USD, expires \d{4}-05-30/)
    fitting('wallet-grant', await staff('wallet', 'coupon', owner, '1', '--auto-approve', '--json'))
    fitting('wallet-balance', await staff('wallet', 'adjust', owner, '0.000001', '--auto-approve', '--json'))
    const movements = (await staff('wallet', 'movements', '--user', owner, '-o', 'csv')).stdout
    expect(movements).toMatch(/,ADJUSTMENT,-2500000,,billed twice\n/)
    expect(movements).toMatch(/,REFUND,-5000000,r-3,\n/)
    expect(await staff('wallet', 'adjust', owner, '0.00', '--auto-approve')).toMatchObject({ code: 3, stderr: expect.stringContaining('"0.00" is no amount') })
    for (const amount of ['0', '-1', '1.0000001', '1e3', 'ten', '99999999999'])
      expect(await staff('wallet', 'refund', owner, '--auto-approve', '--', amount), amount).toMatchObject({ code: 3, stdout: '' })
  })
})

test('rates are listed and set, and what is billed is suspended, resumed and ended', async () => {
  await office(async ({ user, staff, pass }) => {
    await user('apply', '--auto-approve')
    expect(await user('prices')).toMatchObject({ code: 4, stderr: expect.stringContaining("an operator's session") })
    expect((await staff('prices')).stdout).toMatch(/^TYPE +REGION +FOR +RATE \(USD\) +SINCE +ID\n/)
    fitting('prices', await staff('prices', '--json'))
    const cards: { readonly id: string; readonly region: string }[] = JSON.parse((await staff('prices', 'STORAGE', '--json')).stdout)
    const card = cards.find((one) => one.region === 'fra-1')
    expect(await staff('prices', 'set', 'STORAGE', card?.id ?? '', '--auto-approve')).toMatchObject({ code: 3, stderr: expect.stringContaining('give --rate') })
    const set = await staff('prices', 'set', 'STORAGE', card?.id ?? '', '--rate', '0.5', '--auto-approve', '--json')
    expect((await staff('prices', 'set', 'STORAGE', card?.id ?? '', '--rate', '0.5', '--auto-approve')).stderr).toContain('puts back what it declares')
    expect(fitting('prices', set)).toMatchObject({ id: card?.id, unit_rate: '500000' })
    expect((await staff('prices', 'DISKS')).code).toBe(3)
    const unknown = await staff('prices', 'set', 'STORAGE', '1', '--rate', '0.5', '--auto-approve')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/the rate 1 of STORAGE is not set: .*not found\n.*`iac prices STORAGE`/) })

    const usage = JSON.parse((await user('usage', 'Instance/web', '--json')).stdout)
    const id: string = usage.workspaces[0].resources[0].resource_id
    expect(await user('subjects', 'suspend', id, '--auto-approve')).toMatchObject({ code: 4 })
    expect(await staff('subjects', 'suspend', id, '--auto-approve')).toMatchObject({ code: 0, stderr: `the billing subject ${id} is suspended\n` })
    await pass(5)
    expect((await user('usage', 'Instance/web')).stdout).toMatch(/ 0s +0\.00\n/)
    expect((await staff('subjects', 'resume', id, '--auto-approve')).code).toBe(0)
    expect(await staff('subjects', 'terminate', id, '--no-input')).toMatchObject({ code: 3 })
    const ended = fitting('subjects', await staff('subjects', 'terminate', id, '--auto-approve', '--json'))
    expect(ended).toMatchObject({ action: 'terminate', terminated: [{ id, kind: 'INSTANCE' }] })
    const disk = JSON.parse((await user('get', 'disks', 'data', '--json')).stdout)
    const told = await staff('subjects', 'terminate', disk.id, '--auto-approve')
    expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining('shows it as gone, and makes it anew') })
    expect((await user('plan')).stdout).toContain('# Disk/data has been deleted')
  })
})

test('the staff keeps coupons and rates in manifests', async () => {
  await office(async ({ staff, write }) => {
    const coupon = manifest('Coupon', 'welcome', 'code: WELCOME-10\namount: 10000000\nuses: 100')
    const price = (rate: number): string => manifest('Price', 'memory', `type: MEMORY\nregion: fra-1\nunit_rate: ${rate}\neffective_from: 2099-01-01T00:00:00Z`)
    write(coupon + price(1600))
    expect((await staff('apply', '--auto-approve')).code).toBe(0)
    const id = z.tuple([z.object({ id: z.string() })]).parse(JSON.parse((await staff('get', 'coupons', '--json')).stdout))[0].id
    await staff('state', 'rm', 'Coupon/welcome')
    expect((await staff('import', 'Coupon/welcome', id)).code).toBe(0)
    write(coupon + price(1700))
    expect((await staff('apply', '--auto-approve')).code).toBe(0)
    const [, rate] = JSON.parse((await staff('state', 'show', 'Price/memory', '--json')).stdout).id.split('/')
    const set = await staff('prices', 'set', 'MEMORY', rate, '--rate', '0.002', '--auto-approve')
    expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining('Price/memory: the next apply puts back what it declares') })
    expect(await staff('drift')).toMatchObject({ code: 0 })
    const plan = await staff('plan')
    expect(plan.stdout).toMatch(/unit_rate = .*2000.*-> .*1700/)
    expect(plan.stdout).not.toContain('outside of iac')
    expect((await staff('destroy', '--auto-approve')).code).toBe(0)
  })
})

test('with that every call of the area was made', async () => {
  expect(await notes.hold(['Billing, usage, wallet, coupons, rates'])).toEqual([])
})

test('^C waits until a rate is set, and says what it is then', async () => {
  const bench = await operatingBench('')
  const staff = { token: bench.sandbox.operatorToken }
  const [{ id }] = JSON.parse((await bench.run(['prices', 'STORAGE', '--json'], staff)).stdout)
  const words = ['prices', 'set', 'STORAGE', id, '--rate', '0.5', '--auto-approve', '--json']
  const { code, stdout, stderr } = await bench.stopping(words, 'updatePrice', staff)
  expect([code, JSON.parse(stdout).unit_rate, stderr]).toEqual([130, '500000', expect.stringContaining('stopping: what runs is waited for')])
})
