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

/** By what a comment is found, in hexadecimal digits. */
export interface CommentKeys {
  /** The key with the folder. */
  readonly key: string
  /** The key without it; absent in marks of earlier versions, whose only key may be either. */
  readonly name?: string | undefined
  /** There, and true, where no other project of the repository may be called so: the name tells it wherever it moves. */
  readonly isOnly?: boolean | undefined
}

export interface Mark extends CommentKeys {
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
export function marked({ key, name, isOnly, run, planMs, isHidden }: Mark, text: string): string {
  const named = name === undefined ? '' : ` name=${name}${isOnly ? ' only' : ''}`
  return `<!-- iac:comment v1 key=${key}${named} run=${run} plan=${planMs}${isHidden ? ' hidden' : ''} -->\n${text}`
}

/** Whether a mark is of a project: of its folder, or of its name where both sides know no other of that name. */
export function isMarkOf({ key, name, isOnly }: CommentKeys, project: CommentKeys): boolean {
  if (key === project.key) return true
  return name === undefined ? key === project.name : name === project.name && isOnly === true && project.isOnly === true
}

/** The mark of a comment and the text below it; undefined for one that does not begin with a mark. */
export function readMark(body: string): { readonly mark: Mark; readonly text: string } | undefined {
  const found = /^<!-- iac:comment v1 key=([0-9a-f]{32})(?: name=([0-9a-f]{32})( only)?)? run=([0-9a-f]{32}) plan=(\d{1,15})( hidden)? -->(?:\r?\n|$)/.exec(
    body,
  )
  if (!found) return undefined
  const [all, key = '', name, only, run = '', planMs = '', hidden] = found
  const named = name === undefined ? {} : { name, isOnly: only !== undefined }
  return { mark: { key, ...named, run, planMs: Number(planMs), isHidden: hidden !== undefined }, text: body.slice(all.length) }
}
