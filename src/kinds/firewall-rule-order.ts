// The order in which rules of one instance change: nothing that stays allowed is shut out meanwhile, nothing that stays forbidden gets in.
import type { Member, Place, Seen, Turn } from './definition/kind.ts'
import { admitsSsh } from './firewall-rule-checks.ts'
import { oneForOne } from './firewall-rule-room.ts'
import type { Rule, Step } from './firewall-rule-room.ts'

const ranks = { newSsh: 0, newAccept: 1, newDrop: 2, oldDrop: 3, oldAccept: 4, oldSsh: 5, next: 6, late: 9 } as const
// Ranks in runs: more than there can be of them, since there are 100 priorities of two actions each.
const GOING = 1000
const LATE = 2000

/** By itself: new ACCEPT (SSH first), new DROP, old DROP, old ACCEPT (SSH last), then new ones there was no room for: what no ACCEPT matches is dropped. */
export function placeRule(one: Seen<Rule>, turn: Turn): Place {
  const group = `firewall:${one.instance}`
  if (turn === 'old') return { group, rank: one.action === 'DROP' ? ranks.oldDrop : admitsSsh(one) ? ranks.oldSsh : ranks.oldAccept }
  const rank = one.action === 'DROP' ? ranks.newDrop : admitsSsh(one) ? ranks.newSsh : ranks.newAccept
  return { group, rank: turn === 'new' ? rank : rank + ranks[turn] }
}

/**
 * In view of all that change: new ones by falling priority, then old ones by rising priority, those of one action that follow each other together.
 * So the highest rule that matches a packet is always the highest of the old ones or of the new ones, and decides as that whole does.
 * Where there was or will be no rule everything is or will be let in: there each stands by itself. Where there is no room for all they go one for one.
 */
export function ranksOfRules(members: readonly Member<Rule>[], othersStay: boolean): readonly number[] {
  const does = new Set(members.map((one) => one.does))
  const stays = othersStay || does.has('stays')
  const [fromNothing, toNothing] = [!stays && !does.has('goes'), !stays && !does.has('comes')]
  if (fromNothing || toNothing) return members.map((one) => one.rank)
  const out = new Map(members.map((one) => [one, one.does === 'comes' && one.rank >= ranks.late ? LATE + one.rank : one.rank]))
  const sorted = members.toSorted((a, b) => priorityOf(b) - priorityOf(a) || actionOf(a) - actionOf(b))
  const coming = inRuns(sorted.filter((one) => one.does === 'comes' && one.rank < ranks.late))
  const going = inRuns(sorted.filter((one) => one.does === 'goes').toReversed())
  const room = coming.filter(({ one }) => one.rank < ranks.next).length
  if (room < coming.length) {
    for (const [rank, together] of oneForOne(coming, going, room, stays).entries()) for (const one of together) out.set(one, rank)
  } else {
    for (const { one, run, isSsh } of coming) out.set(one, 2 * run + (isSsh ? 0 : 1))
    for (const { one, run, isSsh } of going) out.set(one, GOING + 2 * run + (isSsh ? 1 : 0))
  }
  return members.map((one) => out.get(one) ?? one.rank)
}

/** With the numbers of the runs of one action. */
function inRuns(sorted: readonly Member<Rule>[]): readonly Step[] {
  let run = 0
  return sorted.map((one, at) => {
    const last = sorted[at - 1]
    if (last && actionOf(last) !== actionOf(one)) run += 1
    return { one, run, isDrop: actionOf(one) === 1, isSsh: [ranks.newSsh, ranks.oldSsh, ranks.next].some((rank) => rank === one.rank) }
  })
}

/** One that is not known yet is taken as the lowest: it comes last. */
function priorityOf({ spec }: Member<Rule>): number {
  return typeof spec.priority === 'number' ? spec.priority : 0
}

function actionOf({ spec }: Member<Rule>): number {
  return spec.action === 'DROP' ? 1 : 0
}
