// The order of rules that an instance has no room for beside those that they replace: one takes the place of another.
import type { Member } from './definition/kind.ts'
import { ruleKey } from './firewall-rule-checks.ts'

export interface Rule {
  readonly instance: string
  readonly action: string
  readonly priority: number
}

/** One that comes or goes, with the run of one action that it is in: coming ones by falling priority, going ones by rising priority. */
export interface Step {
  readonly one: Member<Rule>
  readonly run: number
  readonly isDrop: boolean
  readonly isSsh: boolean
}

/**
 * New ones while there is room, then for each the place of an old one, by runs: those after each other that may change together.
 * What goes is one whose successor is there. Where there is none it is another: what has no successor, then the one whose successor comes last, SSH at the very last.
 * No DROP goes before the ACCEPTs below it, and where others stay none before all new DROPs are there: an ACCEPT could let in what old and new keep out.
 * There are no more rules than the limit allows, so that they may be looked through for each.
 */
export function oneForOne(coming: readonly Step[], going: readonly Step[], room: number, othersStay: boolean): readonly (readonly Member<Rule>[])[] {
  const guards = othersStay && coming.some((one) => one.isDrop) && going.some((one) => one.isDrop)
  const news = inOrder(coming, going, guards && !isRoomForDrops(coming, going, room))
  const turnOf = successors(news, going)
  const runOf = ({ isDrop, run }: Step): number => (guards ? Number(isDrop) : run)
  let left = going.toSorted((a, b) => runOf(a) - runOf(b) || Number(a.isSsh) - Number(b.isSsh) || compare(turnOf(b), turnOf(a)) || compare(a.one.id, b.one.id))
  const out: Step[] = []
  for (const [turn, next] of news.entries()) {
    const run = left[0] && runOf(left[0])
    const mayGo = (old: Step): boolean => old.one.awaitsOwn !== true || turnOf(old) < turn
    const old =
      left.find((one) => runOf(one) === run && turnOf(one) < turn) ??
      left.find((one) => mayGo(one) && !one.isSsh && (runOf(one) === run || !one.isDrop)) ??
      left.find(mayGo)
    if (turn >= room && old) {
      left = left.filter((one) => one !== old)
      out.push(old)
    }
    out.push(next)
  }
  return together([...out, ...left.toSorted((a, b) => a.run - b.run || Number(a.isSsh) - Number(b.isSsh))])
}

/** The turn of what takes the place of an old one: the new one of its address, or under a new address what matches the same or else admits SSH, too; infinite without any. */
function successors(news: readonly Step[], going: readonly Step[]): (old: Step) => number {
  const byAddress = new Map(news.map(({ one }, turn) => [one.address, turn]))
  const replaced = new Set(going.map(({ one }) => one.address))
  const others = [...news.entries()].filter(([, { one }]) => !replaced.has(one.address))
  const byMatch = new Map(others.map(([turn, one]) => [matchOf(one), turn]))
  const ssh = others.find(([, one]) => one.isSsh)?.[0]
  const turnOf = (old: Step): number => byAddress.get(old.one.address) ?? byMatch.get(matchOf(old)) ?? (old.isSsh ? ssh : undefined) ?? Infinity
  const turns = new Map(going.map((old) => [old, turnOf(old)]))
  return (old) => turns.get(old) ?? Infinity
}

/** New ones by runs: SSH first where it takes over, then what is to be there before its old one, what replaces one, and the rest. */
function inOrder(coming: readonly Step[], going: readonly Step[], dropsFirst: boolean): readonly Step[] {
  const replaced = new Map(going.map(({ one }) => [one.address, one.awaitsOwn === true ? 1 : 2]))
  const made = new Set(coming.map(({ one }) => one.address))
  const isSshGone = going.some(({ one, isSsh }) => isSsh && !made.has(one.address))
  const turnOf = ({ one: { address }, isSsh }: Step): number => (isSsh && (isSshGone || replaced.has(address)) ? 0 : (replaced.get(address) ?? 3))
  const runOf = ({ isDrop, run }: Step): number => (dropsFirst ? Number(!isDrop) : run)
  return coming.toSorted((a, b) => runOf(a) - runOf(b) || turnOf(a) - turnOf(b) || compare(a.one.id, b.one.id))
}

/** Whether all new DROPs can be there, in their order, before an old one has to go. */
function isRoomForDrops(coming: readonly Step[], going: readonly Step[], room: number): boolean {
  return coming.findLastIndex((one) => one.isDrop) < room + going.filter((one) => !one.isDrop).length
}

function matchOf({ one: { spec } }: Step): string {
  return ruleKey({ ...spec, priority: null, description: null, bps_limit: null, pps_limit: null })
}

/** Those that follow each other and do the same, of one run: they run together, SSH apart. */
function together(steps: readonly Step[]): readonly (readonly Member<Rule>[])[] {
  const out: Member<Rule>[][] = []
  for (const [at, step] of steps.entries()) {
    const last = steps[at - 1]
    const open = out.at(-1)
    if (open && last && last.one.does === step.one.does && last.run === step.run && last.isSsh === step.isSsh) open.push(step.one)
    else out.push([step.one])
  }
  return out
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
