// The mark that a comment of ours begins with: of what it tells, by which run, and of when.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../base/json.ts'

/** What one comment is about: runs that share it keep one comment. */
export interface CommentKey {
  readonly project: string | null
  readonly environment: string | null
  readonly tag: string
  /** Where the project lies below the root of its repository: projects of several folders may be called alike. */
  readonly folder: string
}

export interface Mark {
  /** 32 hexadecimal digits, of the key. */
  readonly key: string
  /** The run that wrote it, 32 hexadecimal digits. */
  readonly run: string
  /** When the plan was made, in milliseconds since 1970. */
  readonly planMs: number
  /** Whether a later one has taken its place. */
  readonly isHidden: boolean
}

/** A key in digits: names of a project cannot end a mark or forge one. */
export function keyDigits({ project, environment, tag, folder }: CommentKey): string {
  return createHash('sha256')
    .update(canonicalJson([project, environment, tag, ...(folder === '' ? [] : [folder])]))
    .digest('hex')
    .slice(0, 32)
}

/** A comment that begins with a mark; Markdown does not show it. */
export function marked({ key, run, planMs, isHidden }: Mark, text: string): string {
  return `<!-- iac:comment v1 key=${key} run=${run} plan=${planMs}${isHidden ? ' hidden' : ''} -->\n${text}`
}

/** The mark of a comment and the text below it; undefined for one that does not begin with a mark. */
export function readMark(body: string): { readonly mark: Mark; readonly text: string } | undefined {
  const found = /^<!-- iac:comment v1 key=([0-9a-f]{32}) run=([0-9a-f]{32}) plan=(\d{1,15})( hidden)? -->(?:\r?\n|$)/.exec(body)
  if (!found) return undefined
  const [all, key = '', run = '', planMs = '', hidden] = found
  return { mark: { key, run, planMs: Number(planMs), isHidden: hidden !== undefined }, text: body.slice(all.length) }
}
