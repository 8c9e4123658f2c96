// Keeps the comment of a run: looks, does what is left, and looks again until nothing is.
import { backoff } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { Failure, failure } from '../../base/diagnostic.ts'
import type { CommentStep, Wanted } from './comment-steps.ts'
import { commentSteps, inForgeTime, isOutdated } from './comment-steps.ts'
import type { Forge, Post } from './forge.ts'

/** What was done with which comment. */
export interface Done {
  readonly action: CommentStep['does']
  readonly id: string
}

/** How often is looked: other runs write at the same time, and answers are lost. */
const MOST_ROUNDS = 6
const LOST_MS = 1000

export interface Kept {
  readonly done: readonly Done[]
  /** A later plan is told there, or the request is at another commit by now. */
  readonly isOutdated: boolean
  /** That commit. */
  readonly head?: string
}

/** Throws the forge's Failures, and `forge_unreachable` where a comment was sent again and again and never came to be. */
export async function keepComment(forge: Forge, given: Wanted, clock: Clock): Promise<Kept> {
  const me = await forge.whoAmI()
  const head = given.commit === undefined ? undefined : await headOf(forge)
  // Whoever runs the job of an earlier commit again makes a later plan of it.
  if (head !== undefined && head !== given.commit) return { done: [], isOutdated: true, head }
  const inTime = inForgeTime(given, forge.nowMs?.())
  const done: Done[] = []
  // A list may not show yet what was just made.
  const made = new Map<string, Post>()
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const listed = await forge.comments()
    for (const { id } of listed) made.delete(id)
    const posts = [...listed, ...made.values()]
    const wanted: Wanted = { ...inTime, forgeMs: forge.nowMs?.() }
    const steps = commentSteps(wanted, posts, me)
    if (steps.length === 0) return { done, isOutdated: isOutdated(wanted, posts, me) }
    for (const step of steps) {
      const post = await carryOut(forge, step)
      if (step.does === 'create' && post) made.set(post.id, post)
      if (step.does === 'remove') made.delete(step.post.id)
      if (post) done.push({ action: step.does, id: post.id })
      // It may still come to be.
      else await clock.sleep(backoff(round, LOST_MS))
    }
  }
  if (done.length === 0) throw failure('forge_unreachable', 'the comment was sent several times, and is not there', { hint: 'run again later' })
  return { done, isOutdated: false }
}

/** Not every token that may write comments may read this. */
async function headOf(forge: Forge): Promise<string | undefined> {
  try {
    return await forge.head?.()
  } catch (error) {
    if (error instanceof Failure && error.diagnostics.every((one) => one.code === 'forge_refused')) return undefined
    throw error
  }
}

/** The comment that it was about; undefined for one whose answer was lost. */
async function carryOut(forge: Forge, step: CommentStep): Promise<Post | undefined> {
  if (step.does === 'create') return await forge.create(step.body)
  if (step.does === 'remove') await forge.remove(step.post)
  else {
    if (step.does === 'hide') await forge.hide?.(step.post)
    await forge.update(step.post, step.body)
  }
  return step.post
}
