// Following the sandbox: one look per burst of events, never two at once, and a new start where the stream was lost.
import { pageView } from '../view-wire.ts'
import { seen } from '../model/page-model.ts'
import type { PageModel } from '../model/page-model.ts'
import { ask, listen, Locked } from './service.ts'

/** What is told of the connection and of what was seen. */
export interface Follower {
  saw(model: PageModel): void
  linked(isLinked: boolean): void
  locked(): void
}

/** Looks less than this apart would show nothing more. */
const LEAST_PAUSE_MS = 120
/** Sums of money take longer to make up, and change slowly. */
const MONEY_PAUSE_MS = 2000
const RETRY_MS = 1000
/** Billed time goes on without any event. */
const IDLE_LOOK_MS = 10_000

/** Follows until the token is refused. */
export function follow(follower: Follower): { readonly stop: () => void; readonly look: () => void } {
  let model: PageModel | undefined
  let isStopped = false
  let isLooking = false
  let isWanted = false
  let moneyAtMs = -Infinity
  let timer: number | undefined
  let afresh = true

  async function lookOnce(): Promise<void> {
    const begun = performance.now()
    const money = begun - moneyAtMs >= MONEY_PAUSE_MS
    const since = model === undefined || afresh ? '' : `since=${model.event}&request=${model.requests.at(-1)?.id ?? 0}&`
    if (money) moneyAtMs = begun
    const view = pageView.parse(await ask('GET', `/view?${since}money=${money}`))
    model = seen(afresh ? undefined : model, view)
    afresh = false
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
    if (isLooking || isStopped) return
    clearTimeout(timer)
    isLooking = true
    isWanted = false
    lookOnce().catch(failed)
  }
  function failed(error: unknown): void {
    isLooking = false
    if (!(error instanceof Locked)) return
    isStopped = true
    follower.locked()
  }
  async function run(): Promise<void> {
    while (!isStopped) {
      try {
        await listen(() => {
          afresh = true
          follower.linked(true)
          look()
        }, look)
      } catch (error) {
        failed(error)
      }
      follower.linked(false)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  void run()
  return {
    look,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
