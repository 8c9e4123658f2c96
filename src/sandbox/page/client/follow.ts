// Following the sandbox: one look per burst of events, never two at once, and a new start where the stream was lost.
import { seen } from '../model/page-model.ts'
import type { PageModel } from '../model/page-model.ts'
import { pageView } from '../view-wire.ts'
import { ask, Gone, listen, Locked } from './service.ts'

/** What is told of the connection and of what was seen. */
export interface Follower {
  saw(model: PageModel): void
  linked(isLinked: boolean): void
  locked(): void
  gone(): void
}

/** Looks less than this apart would show nothing more. */
const LEAST_PAUSE_MS = 120
/** Sums of money take longer to make up, and change slowly. */
const MONEY_PAUSE_MS = 2000
const RETRY_MS = 1000
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
    if (isLooking || stopped.signal.aborted) return
    clearTimeout(timer)
    isLooking = true
    isWanted = false
    lookOnce().catch(failed)
  }
  function failed(error: unknown): void {
    isLooking = false
    afresh = true
    if (stopped.signal.aborted || !(error instanceof Locked || error instanceof Gone)) return
    stop()
    if (error instanceof Gone) follower.gone()
    else follower.locked()
  }
  /** What happened while nobody listened may be forgotten. */
  function opened(): void {
    afresh = true
    follower.linked(true)
    look()
  }
  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await listen(stopped.signal, opened, look)
      } catch (error) {
        failed(error)
      }
      if (stopped.signal.aborted) return
      follower.linked(false)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  void run()
  return { look, stop }
}

/** What a look asks for that follows another one. */
function sinceOf(before: PageModel | undefined): string {
  return before === undefined ? '' : `since=${before.event}&request=${before.requests.at(-1)?.id ?? 0}&`
}
