// Following the sandbox: one look per burst of events, never two at once, and a new start where the stream was lost.
import { seen } from '../model/page-model.ts'
import type { PageModel } from '../model/page-model.ts'
import { pageView } from '../view-wire.ts'
import { keepListening, RETRY_MS } from './keep-listening.ts'
import { ask, Gone, Locked, Silent } from './service.ts'

/** What is told of the connection and of what was seen; `silent` where no answer came in time. */
export interface Follower {
  saw(model: PageModel): void
  linked(isLinked: boolean): void
  silent(words: string): void
  locked(): void
  gone(): void
}

/** Whether the stream is open, and whether the last look failed. */
interface Link {
  readonly isOpen: boolean
  readonly hasFailed: boolean
}

/** Looks less than this apart would show nothing more. */
const LEAST_PAUSE_MS = 120
/** Sums of money take longer to make up, and change slowly. */
const MONEY_PAUSE_MS = 2000
/** Billed time goes on without any event. */
const IDLE_LOOK_MS = 10_000

/** Follows the tenant that is chosen, until it is gone, the token is refused, or it is stopped. */
export function follow(follower: Follower): { readonly stop: () => void; readonly look: () => void } {
  let model: PageModel | undefined
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  let isLooking = false
  let isWanted = false
  let moneyAtMs = -Infinity
  let timer: number | undefined
  let afresh = true
  let link: Link = { isOpen: false, hasFailed: false }

  async function lookOnce(): Promise<void> {
    const begun = performance.now()
    const money = begun - moneyAtMs >= MONEY_PAUSE_MS
    if (money) moneyAtMs = begun
    const before = afresh ? undefined : model
    afresh = false
    const view = pageView.parse(await ask('GET', `/view?${sinceOf(before)}money=${money}`))
    if (stopped.signal.aborted) return
    model = seen(before, view)
    follower.saw(model)
    tellLink({ hasFailed: false })
    // A sandbox that is busy is looked at less often: at most a third of the time goes into looking.
    again(Math.max(LEAST_PAUSE_MS, 2 * (performance.now() - begun)), money)
  }
  function again(pauseMs: number, hadMoney: boolean): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isLooking = false
      if (isWanted) look()
      else timer = setTimeout(look, hadMoney ? IDLE_LOOK_MS : MONEY_PAUSE_MS)
    }, pauseMs)
  }
  function look(): void {
    isWanted = true
    if (isLooking || stopped.signal.aborted || document.hidden) return
    clearTimeout(timer)
    isLooking = true
    isWanted = false
    lookOnce().catch(failed)
  }
  function failed(error: unknown): void {
    isLooking = false
    afresh = true
    timer = setTimeout(look, RETRY_MS)
    tellFailure(error, { hasFailed: true })
  }
  /** A refusal ends it; whatever else failed is tried again. */
  function tellFailure(error: unknown, change: Partial<Link>): void {
    if (stopped.signal.aborted) return
    if (error instanceof Locked || error instanceof Gone) {
      stop()
      return error instanceof Gone ? follower.gone() : follower.locked()
    }
    tellLink(change)
    if (error instanceof Silent) follower.silent(error.message)
  }
  function tellLink(change: Partial<Link>): void {
    link = { ...link, ...change }
    follower.linked(link.isOpen && !link.hasFailed)
  }
  /** What happened while nobody listened may be forgotten. */
  function opened(): void {
    afresh = true
    tellLink({ isOpen: true })
    look()
  }
  void keepListening(stopped.signal, { opened, happened: look, lost: (error) => tellFailure(error, { isOpen: false }) })
  return { look, stop }
}

/** What a look asks for that follows another one. */
function sinceOf(before: PageModel | undefined): string {
  return before === undefined ? '' : `since=${before.event}&request=${before.requests.at(-1)?.id ?? 0}&`
}
