// What all parts of the page share: what was seen last, which workspace and thing is looked at, and what is done about it.
import { clockNow } from '../model/clock-view.ts'
import type { PageModel } from '../model/page-model.ts'

/** The page's own state; parts read it when they draw. */
export interface Screen {
  model: PageModel
  seenAtMs: number
  workspace: string
  /** The key of what is selected on the map. */
  selected: string | undefined
  /** Draws everything anew, soon and once. */
  draw(): void
  /** Does something by a control route and tells what came of it, aloud. */
  act(work: () => Promise<unknown>, done: string): void
}

/** A part of the page: `draw` after each look, `tick` as time passes, `forget` before another tenant is looked at. */
export interface Part {
  draw(screen: Screen): void
  tick?(screen: Screen): void
  forget?(): void
}

/** The sandbox's time now, in ms since 1970. */
export function nowOf({ model, seenAtMs }: Screen): number {
  return clockNow(model.clock, performance.now() - seenAtMs)
}
