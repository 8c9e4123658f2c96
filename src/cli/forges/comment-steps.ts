// What is to be done so that the comments on a request, or the issues of a repository, are as one run wants them, whoever else writes there meanwhile.
import type { Mark } from './comment-mark.ts'
import { isMarkOf, marked, readMark } from './comment-mark.ts'
import type { Post } from './forge.ts'

export const commentModes = ['update', 'new', 'hide-and-new'] as const

export type CommentMode = (typeof commentModes)[number]

/** What one run wants to stand there; `gone` is for what is over: nothing. */
export interface Wanted {
  readonly mode: CommentMode | 'gone'
  readonly mark: Mark
  readonly text: string
  /** The commit of the request that the plan is of, where it is known. */
  readonly commit?: string | undefined
  /** The forge's time, in milliseconds since 1970, where it is known. */
  readonly forgeMs?: number | undefined
}

export type CommentStep =
  | { readonly does: 'create'; readonly body: string }
  | { readonly does: 'update' | 'hide'; readonly post: Post; readonly body: string }
  | { readonly does: 'remove'; readonly post: Post }

/** Dates of answers are whole seconds, and clocks differ a little. */
const TOLERATED_MS = 5000

interface Own {
  readonly post: Post
  readonly mark: Mark
  readonly text: string
}

/** The steps that are left, none where all is well; a comment is ours if it bears our mark and `me` wrote it. Runs that do this until nothing is left agree. */
export function commentSteps(wanted: Wanted, posts: readonly Post[], me: string): readonly CommentStep[] {
  const all = posts.flatMap((post) => ownOf(post, wanted, me)).toSorted(byAge)
  const own = all.filter((one) => !one.mark.isHidden)
  if (wanted.mode === 'update') return oneComment(wanted, own)
  // What a later plan tells is not over.
  if (wanted.mode === 'gone') return own.flatMap(({ post, mark }) => (mark.planMs > wanted.mark.planMs ? [] : [{ does: 'remove', post } as const]))
  const body = marked(wanted.mark, wanted.text)
  // Hidden already where another run at the same time has a later plan.
  if (!all.some((one) => one.mark.run === wanted.mark.run)) return [{ does: 'create', body }]
  const latest = own.toSorted((a, b) => a.mark.planMs - b.mark.planMs || byAge(a, b)).at(-1)
  // Two runs at once each see the other's: the later plan stays.
  return wanted.mode === 'new' ? [] : own.flatMap((one) => (one === latest ? [] : [{ does: 'hide', post: one.post, body: hiddenBody(one) } as const]))
}

/** Whether another run has told of a later plan. */
export function isOutdated(wanted: Wanted, posts: readonly Post[], me: string): boolean {
  return posts.flatMap((post) => ownOf(post, wanted, me)).some((one) => one.mark.planMs > wanted.mark.planMs)
}

/** The oldest stays, with what the latest plan says; the others are of runs at the same time, or of another mode. */
function oneComment(wanted: Wanted, own: readonly Own[]): readonly CommentStep[] {
  const [kept, ...others] = own
  const body = marked(wanted.mark, wanted.text)
  if (!kept) return [{ does: 'create', body }]
  const latest = own.toSorted((a, b) => a.mark.planMs - b.mark.planMs).at(-1) ?? kept
  const isLater = latest.mark.planMs > wanted.mark.planMs
  const isSame = isLater ? latest === kept : kept.mark.planMs === wanted.mark.planMs && plain(kept.text) === plain(wanted.text)
  const update = { does: 'update', post: kept.post, body: isLater ? latest.post.body : body } as const
  return [...(isSame ? [] : [update]), ...others.map(({ post }) => ({ does: 'remove', post }) as const)]
}

/** Folded, for forges that fold nothing themselves. */
function hiddenBody({ mark, text }: Own): string {
  return marked({ ...mark, isHidden: true }, `<details>\n<summary>Outdated: a later plan stands below.</summary>\n\n${text}\n\n</details>\n`)
}

function ownOf(post: Post, { mark, forgeMs }: Wanted, me: string): readonly Own[] {
  const read = post.author === me ? readMark(post.body) : undefined
  if (!read || !isMarkOf(read.mark, mark)) return []
  // Written by a machine whose clock was ahead, it would stand against every plan until that time has come.
  return [{ post, text: read.text, mark: isAhead(read.mark.planMs, forgeMs) ? { ...read.mark, planMs: 0 } : read.mark }]
}

/** Whether a time is one that has not come at the forge. */
function isAhead(planMs: number, forgeMs: number | undefined): boolean {
  return forgeMs !== undefined && planMs > forgeMs + TOLERATED_MS
}

/** As it is wanted by the forge's time: no plan was made later than that. */
export function inForgeTime(wanted: Wanted, forgeMs: number | undefined): Wanted {
  const { mark } = wanted
  return { ...wanted, forgeMs, mark: forgeMs !== undefined && isAhead(mark.planMs, forgeMs) ? { ...mark, planMs: forgeMs } : mark }
}

function byAge(a: Own, b: Own): number {
  return a.post.id.length - b.post.id.length || (a.post.id < b.post.id ? -1 : a.post.id > b.post.id ? 1 : 0)
}

/** Forges keep line ends and the space at the end in their own way. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').trim()
}
