// `iac wallet [PART]`: the prepaid wallet of the caller, or of a user that the staff names.
import { call } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import { routes } from '../../../api/routes/routes.ts'
import { failure } from '../../../base/diagnostic.ts'
import { onScreen } from '../../apply/renderings.ts'
import type { Given } from '../../arguments/flags.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { compatHere } from '../../context/workspace-of.ts'
import { checkPeriod, givenPeriod, periodFlags } from '../../operating/given/given-period.ts'
import { givenUser } from '../../operating/given/given-user.ts'
import { billingRecords, readRecord, readRecords } from '../../operating/read-billing.ts'
import type { Segment, Wallet } from '../../render/billing/billing-records.ts'
import { walletCsv, walletDocument, walletText } from '../../render/billing/wallet-text.ts'

const parts = ['balance', 'grants', 'history', 'movements'] as const
const nothing: Wallet = { balance: null, grants: null, history: null, movements: null }
const DAY_MS = 86_400_000
/** How far a history goes back by itself. */
const spans = { day: 30 * DAY_MS, month: 365 * DAY_MS } as const

export const walletCommand = defineCommand({
  summary: 'balance, credit and movements of a wallet',
  about:
    'Without a word an overview; balance, grants (credit that was given), history (what was left, day by day: a chart on a terminal, else a table) or movements (money that came or went). Operators also have wallet topup, adjust, refund and coupon.',
  arguments: [{ name: 'PART', about: parts.join(', '), optional: true, choices: parts }],
  flags: {
    user: { type: 'text', value: 'ID', about: 'the wallet of another user, for operators (default @me)' },
    window: { type: 'choice', value: 'W', choices: ['day', 'month'], about: 'how much of the history stands in one line (default day)' },
    ...periodFlags,
    output: {
      type: 'choice',
      value: 'FORM',
      short: 'o',
      choices: ['table', 'chart', 'csv', 'json'],
      about: 'the form (default table; of a history on a terminal chart)',
    },
  },
  idle: idleFlags.withoutProject.filter((name) => name !== 'sandbox' && name !== 'parallelism'),
  examples: [
    { text: 'wallet', about: 'what is left, and the latest movements' },
    { text: 'wallet history --window month --from 2026-01', about: 'the year so far' },
    { text: 'wallet movements -o csv', about: 'for the accounts' },
  ],
  async run(context, given) {
    const part = parts.find((one) => one === given.arguments[0])
    const form = context.globals.switch('json') ? 'json' : given.text('output')
    if (part !== 'history' && ['from', 'to', 'window'].some((flag) => given.text(flag) !== undefined))
      throw usageFailure('--from, --to and --window are of `iac wallet history`')
    if (part !== 'history' && form === 'chart') throw usageFailure('a chart is drawn of `iac wallet history` alone')
    if (part === undefined && form === 'csv') throw usageFailure('-o csv needs one of balance, grants, history and movements')
    checkPeriod(given)
    const uid = givenUser(given.text('user') ?? '@me')
    const client = await context.client(await compatHere(context))
    const wallet = await readParts(client, uid, part, given)
    if (form === 'json') context.print.json(walletDocument(uid, wallet))
    else if (form === 'csv') context.print.result(walletCsv(wallet))
    else context.print.result((await chartOf(context, wallet, form)) ?? onScreen(context, walletText(wallet)))
    if (part !== undefined && form !== 'json' && [wallet.grants, wallet.history, wallet.movements].some((one) => one?.length === 0))
      context.print.note(`no ${part}`)
    return 0
  },
})

async function readParts(client: Client, uid: string, part: (typeof parts)[number] | undefined, given: Given): Promise<Wallet> {
  const wanted = (one: (typeof parts)[number]): boolean => part === one || (part === undefined && one !== 'history')
  const [balance, grants, movements] = await Promise.all([
    // The service's clock tells how far a history goes back, once it has answered.
    wanted('balance') || part === 'history' ? readRecord(client, call(routes.getWallet, { uid }), billingRecords.balance) : null,
    wanted('grants') ? readRecords(client, call(routes.listWalletGrants, { uid }), billingRecords.grant) : null,
    wanted('movements') ? readRecords(client, call(routes.listWalletMovements, { uid }), billingRecords.movement) : null,
  ])
  if (balance === undefined) throw failure('lookup_failed', `there is no wallet of ${uid}, or it is not visible to this caller`)
  if (part === 'history') return { ...nothing, history: await readHistory(client, uid, given) }
  return { ...nothing, balance, grants, movements }
}

async function readHistory(client: Client, uid: string, given: Given): Promise<readonly Segment[]> {
  const now = client.serverNow()
  const window = given.text('window') === 'month' ? 'month' : 'day'
  const query = { ...givenPeriod(given, now, { fromMs: dayOf(now - spans[window]), toMs: now }), window: window.toUpperCase() }
  const found = await readRecords(client, call(routes.listWalletHistory, { uid }, undefined, query), billingRecords.segment)
  return found.toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

/** The beginning of its day, in UTC. */
function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** A chart where it was asked for, or where somebody looks at a history on a terminal. */
async function chartOf({ surroundings, print }: Context, { history }: Wallet, form: string | undefined): Promise<string | undefined> {
  const { size } = surroundings.stdout
  if (!history || (form !== 'chart' && (form !== undefined || size === undefined))) return undefined
  const { historyChart } = await import('../../render/history-chart.ts')
  const drawn = historyChart(history, size?.columns ?? 80)
  if (drawn === undefined && history.length > 0) print.note('a chart needs two points at least')
  return drawn
}
