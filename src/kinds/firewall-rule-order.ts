// The order in which rules of one instance change: nothing that stays allowed is shut out meanwhile, nothing that stays forbidden gets in.
import type { Member, Place, Seen, Turn } from './definition/kind.ts'
import { admitsSsh } from './firewall-rule-checks.ts'

interface Rule {
  readonly instance: string
  readonly action: string
  readonly priority: number
}

const ranks = { newSsh: 0, newAccept: 1, newDrop: 2, oldDrop: 3, oldAccept: 4, nextSsh: 5, oldSsh: 6, late: 7 } as const
// Ranks in runs: more than there can be of them, since there are 100 priorities of two actions each.
const GOING = 1000
const LATE = 2000

/** By itself: new ACCEPT (SSH first), new DROP, old DROP, old ACCEPT (SSH last), then new ones there was no room for, SSH before the old one: what no ACCEPT matches is dropped. */
export function placeRule(one: Seen<Rule>, turn: Turn): Place {
  const group = `firewall:${one.instance}`
  if (turn === 'old') return { group, rank: one.action === 'DROP' ? ranks.oldDrop : admitsSsh(one) ? ranks.oldSsh : ranks.oldAccept }
  if (turn === 'next' && admitsSsh(one)) return { group, rank: ranks.nextSsh }
  const rank = one.action === 'DROP' ? ranks.newDrop : admitsSsh(one) ? ranks.newSsh : ranks.newAccept
  return { group, rank: turn === 'new' ? rank : rank + ranks.late }
}

/**
 * In view of all that change: new ones by falling priority, then old ones by rising priority, those of one action that follow each other together.
 * So the highest rule that matches a packet is always the highest of the old ones or of the new ones, and decides as that whole does.
 * Where there was or will be no rule everything is or will be let in, and where there is no room for all at once something has to go first: there each stands by itself.
 */
export function ranksOfRules(members: readonly Member<Rule>[], othersStay: boolean): readonly number[] {
  const does = new Set(members.map((one) => one.does))
  const stays = othersStay || does.has('stays')
  const isByItself = members.some((one) => one.rank === ranks.nextSsh)
  const [fromNothing, toNothing] = [!stays && !does.has('goes'), !stays && !does.has('comes')]
  if (isByItself || fromNothing || toNothing) return members.map((one) => one.rank)
  const out = members.map((one) => (one.does === 'comes' && one.rank >= ranks.late ? LATE + one.rank : one.rank))
  const sorted = [...members.entries()].toSorted(([, a], [, b]) => priorityOf(b) - priorityOf(a) || actionOf(a) - actionOf(b))
  addRuns(
    sorted.filter(([, one]) => one.does === 'comes' && one.rank < ranks.late),
    (index, run, isSsh) => (out[index] = 2 * run + (isSsh ? 0 : 1)),
  )
  addRuns(sorted.filter(([, one]) => one.does === 'goes').toReversed(), (index, run, isSsh) => (out[index] = GOING + 2 * run + (isSsh ? 1 : 0)))
  return out
}

/** Numbers the runs of one action. */
function addRuns(sorted: readonly (readonly [number, Member<Rule>])[], set: (index: number, run: number, isSsh: boolean) => void): void {
  let run = 0
  for (const [at, [index, one]] of sorted.entries()) {
    const last = sorted[at - 1]?.[1]
    if (last && actionOf(last) !== actionOf(one)) run += 1
    set(index, run, admitsSsh(one.spec))
  }
}

/** One that is not known yet is taken as the lowest: it comes last. */
function priorityOf({ spec }: Member<Rule>): number {
  return typeof spec.priority === 'number' ? spec.priority : 0
}

function actionOf({ spec }: Member<Rule>): number {
  return spec.action === 'DROP' ? 1 : 0
}
