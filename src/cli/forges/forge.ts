// What a forge does for a comment or an issue: says who the token is, lists what stands in one place, and writes there.

/** One comment, or one issue. */
export interface Post {
  /** Decimal digits; what was written later has the greater number. */
  readonly id: string
  /** Whoever wrote it, in the terms of `whoAmI`. */
  readonly author: string
  readonly body: string
  /** What GitHub's GraphQL calls it. */
  readonly node?: string | undefined
}

/** One pull or merge request of a forge, or its open issues, by the token of the environment. Each call throws a Failure in words, without the token. */
export interface Forge {
  /** The user of the token. */
  whoAmI(): Promise<string>
  /** Every comment, the system's own left out; of issues those that are open. */
  comments(): Promise<readonly Post[]>
  /** Sent once: undefined where its answer was lost, so that it may be there or not. */
  create(body: string): Promise<Post | undefined>
  /** One that is gone is no mistake, here and below. */
  update(post: Post, body: string): Promise<void>
  remove(post: Post): Promise<void>
  /** Folds it as outdated, where the forge can. */
  hide?(post: Post): Promise<void>
  /** The commit that the request is at, where the forge says so; issues have none. */
  head?(): Promise<string | undefined>
  /** What its clock said in the last answer, in milliseconds since 1970. */
  nowMs?(): number | undefined
}
