// Keeps the comment of a run: looks, does what is left, and looks again until nothing is.
import { backoff } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/diagnostic.ts'
import type { CommentStep, Wanted } from './comment-steps.ts'
import { commentSteps, isOutdated } from './comment-steps.ts'
import type { Forge, Post } from './forge.ts'

/** What was done with which comment. */
export interface Done {
  readonly action: CommentStep['does']
  readonly id: string
}

/** How often is looked: other runs write at the same time, and answers are lost. */
const MOST_ROUNDS = 6
const LOST_MS = 1000

/** Throws the forge's Failures, and `forge_unreachable` where a comment was sent again and again and never came to be. */
export async function keepComment(forge: Forge, wanted: Wanted, clock: Clock): Promise<{ readonly done: readonly Done[]; readonly isOutdated: boolean }> {
  const me = await forge.whoAmI()
  const done: Done[] = []
  // A list may not show yet what was just made.
  const made = new Map<string, Post>()
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const listed = await forge.comments()
    for (const { id } of listed) made.delete(id)
    const posts = [...listed, ...made.values()]
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
