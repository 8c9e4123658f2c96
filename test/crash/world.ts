// A service inside of the tests, over HTTP, with a project folder beside it; it stops its caller with SIGKILL at a chosen effect.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../src/base/clock.ts'
import { realClock } from '../../src/base/clock.ts'
import type { Fault } from '../../src/sandbox/faults/faults.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import type { Snapshot } from '../../src/sandbox/store/store.ts'
import type { Change } from '../../src/sandbox/store/table.ts'
import type { Ran } from '../cli/run-cli.ts'
import { runCli } from '../cli/run-cli.ts'
import { furnish } from '../conformance/place.ts'
import { copyFolder } from './copy-folder.ts'
import { createEffects } from './effects.ts'
import type { Effect } from './effects.ts'
import { environmentFor, newFolder, startIac } from './program.ts'
import type { Ended, Running } from './program.ts'
import type { Phase } from './project.ts'

/** When the caller dies: before the effect, after it and before the answer, or with the next request after the answer has left. */
export type Moment = 'before' | 'after' | 'answered'
export interface Kill {
  /** The effect's label; undefined for the first one, whatever it is. */
  readonly label: string | undefined
  readonly moment: Moment
}

/** Where a world can begin: what the service knows, what stands in the folder, and the time there. */
export interface Stage {
  readonly snapshot: Snapshot
  readonly folder: string
  readonly wallMs: number
}

export interface World {
  readonly folder: string
  readonly sandbox: Sandbox
  readonly effects: readonly Effect[]
  /** Requests with an effect that came without a durable intent. */
  readonly unannounced: readonly string[]
  readonly changes: readonly Change[]
  readonly environment: Readonly<Record<string, string>>
  /** Asked before each effect for a fault. */
  onEffect: ((effect: Effect) => Fault | undefined) | undefined
  files(texts: Readonly<Record<string, string>>): void
  /** `more` is said in the environment beside what stands there. */
  start(words: readonly string[], more?: Readonly<Record<string, string>>): Running
  run(words: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended>
  /** Runs until it is killed at the effect; ends by itself where that does not come. */
  killed(words: readonly string[], kill: Kill): Promise<Ended>
  /** The same command inside of this process, for reading alone. */
  look(...words: string[]): Promise<Ran>
  /** How it stands now, with a copy of the folder. */
  stage(copy: string): Stage
  /** Lets this much of the service's time pass at once. */
  skip(ms: number): void
  /** Goes on as on another machine: in a new folder that holds the project's files and nothing else, with a new home. */
  move(): void
  /** Ends the service and removes the folder. */
  close(): Promise<void>
}

/** How many times faster than the tests' the service's time passes. */
const SCALE = 4

/** Where it begins, what its commands are given, and how many times faster the service's clock is. */
export interface WorldOptions {
  readonly stage?: Stage
  readonly variables?: Phase['variables']
  readonly staff?: boolean | undefined
  readonly environment?: Readonly<Record<string, string>>
  readonly scale?: number
}

/** Makes a world, empty or from a stage. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { stage, variables = {}, scale = SCALE } = options
  const home = newFolder('world')
  const own = projectIn(home, stage)
  const changes: Change[] = []
  const clock = clockFrom(stage?.wallMs ?? Date.now(), scale)
  const sandbox = createSandbox({
    clock,
    profile: 'fast',
    ...(stage ? { snapshot: stage.snapshot } : {}),
    onChange: (event) => 'changes' in event && changes.push(...event.changes),
  })
  if (!stage) furnish(sandbox)
  const server = await serveSandbox({ sandbox })
  const tracker = createEffects(join(own.folder(), '.iac/state.json.journal'), () => clock.now())
  const environment = environmentFor(join(home, 'home'), {
    IAC_BASE_URL: server.url,
    IAC_TOKEN: options.staff ? sandbox.operatorToken : sandbox.token,
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`IAC_VAR_${name}`, value])),
    ...options.environment,
  })
  let armed: (Kill & { readonly pid: number; reached: boolean }) | undefined
  sandbox.faults.hook = (request) => {
    if (armed?.reached) return die(armed.pid, 'before')
    const effect = tracker.of(request)
    if (!effect) return undefined
    if (armed && (armed.label ?? effect.label) === effect.label) {
      if (armed.moment !== 'answered') return die(armed.pid, armed.moment)
      armed.reached = true
    }
    return world.onEffect?.(effect)
  }
  const { IAC_TOKEN: token, ...withoutToken } = environment
  const world: World = {
    get folder() {
      return own.folder()
    },
    sandbox,
    effects: tracker.effects,
    unannounced: tracker.unannounced,
    changes,
    environment,
    onEffect: undefined,
    files: own.files,
    start: (words, more) => startIac(words, { cwd: own.folder(), env: { ...environment, ...more } }),
    run: (words, more) => world.start(words, more).ended,
    async killed(words, kill) {
      const running = world.start(words)
      armed = { ...kill, pid: running.pid, reached: false }
      const ended = await running.ended
      armed = undefined
      return ended
    },
    look: (...words) => runCli(words, { folder: own.folder(), environment: withoutToken, ...(token === undefined ? {} : { token }) }),
    stage(copy) {
      copyFolder(own.folder(), copy)
      return { snapshot: sandbox.snapshot(), folder: copy, wallMs: clock.wall() }
    },
    skip: clock.skip,
    move: own.move,
    async close() {
      await server.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
  return world
}

/** The project's folder, which another takes the place of when it moves. */
function projectIn(home: string, stage: Stage | undefined) {
  let folder = join(home, 'project')
  let moves = 0
  const own = new Map<string, string>()
  if (stage) copyFolder(stage.folder, folder)
  else mkdirSync(folder)
  function files(texts: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(texts)) {
      own.set(name, text)
      writeFileSync(join(folder, name), text)
    }
  }
  function move(): void {
    for (const gone of [folder, join(home, 'home')]) rmSync(gone, { recursive: true, force: true })
    folder = join(home, `project-${(moves += 1)}`)
    mkdirSync(folder)
    mkdirSync(join(home, 'home'), { mode: 0o700 })
    files(Object.fromEntries(own))
  }
  return { folder: () => folder, files, move }
}

/** Stops the caller at this instant; what it sent has an effect or none, and no answer leaves. */
function die(pid: number, reset: 'before' | 'after'): Fault {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
  return { reset }
}

/** A clock that begins where another one stood, and can be moved on. */
function clockFrom(wallMs: number, scale: number): Clock & { skip(ms: number): void } {
  const clock = realClock(scale)
  let skippedMs = 0
  const now = (): number => clock.now() + skippedMs
  const startMs = now()
  return { ...clock, now, wall: () => wallMs + now() - startMs, skip: (ms) => void (skippedMs += ms) }
}
