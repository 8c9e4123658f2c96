// A process that can die or be stopped for a while: its file system, clock and ways to service and bucket, cut off at the moment that was chosen.
import type { Transport, WireRequest } from '../../src/api/transport/wire.ts'
import type { Clock } from '../../src/base/clock.ts'
import type { FileSystem, OpenFile } from '../../src/state/backends/local/file-system.ts'

/** A moment at which a process can die or be stopped; `effect` marks those around requests that change something. */
export interface Moment {
  readonly what: 'disk' | 'bucket' | 'request'
  readonly when: 'before' | 'after'
  readonly name: string
  readonly effect: boolean
}

/** One process: what it is given from outside, and word of its death. */
export interface Mortal {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly transport: Transport
  /** Resolves when it has died or was stopped; never where it lives on. */
  readonly death: Promise<'dies' | 'stops'>
  /** Whether it has died, or was ever stopped: from then on another one may be at work. */
  isOut(): boolean
  /** Whether it was stopped and woken again. */
  isLate(): boolean
  /** One request to a bucket. */
  live<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Goes on where it was stopped. */
  wake(): void
}

/** What becomes of a process at a moment. */
export type Fate = 'lives' | 'dies' | 'stops'

export interface MortalParts {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly transport: Transport
  readonly isEffect: (request: WireRequest) => boolean
  /** Asked at every moment. One that is stopped has this request on its way, and hears of nothing until it is woken. */
  readonly fate: (moment: Moment) => Fate
  /** Told what a sync has made durable of a file. */
  readonly synced?: ((text: string) => void) | undefined
  /** Told of a request with an effect as it leaves, and of its answer. */
  readonly sends?: ((name: string) => void) | undefined
  readonly answered?: (() => void) | undefined
}

function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined)
}

/** The life of a process: what it is asked at every moment, and what becomes of work that it does not live to see. */
interface Life {
  isOut(): boolean
  /** When it hears of anything again: once it is woken, or never. */
  heard(): Promise<void>
  /** Never ends where the process dies here, or is dead. */
  pass(moment: Moment): Promise<void>
  /** The work's end, unless the process has died meanwhile. */
  alive<T>(work: Promise<T>): Promise<T>
}

/** Nothing that a dead process has begun ever ends; what it had sent goes its way. */
export function mortal(parts: MortalParts): Mortal {
  let [isDead, isOut, isLate] = [false, false, false]
  let tellDeath: ((how: 'dies' | 'stops') => void) | undefined
  let wake: (() => void) | undefined
  let stopped: Promise<void> | undefined
  const death = new Promise<'dies' | 'stops'>((resolve) => {
    tellDeath = resolve
  })
  function meet(fate: Fate): void {
    if (fate === 'lives') return
    isOut = true
    if (fate === 'dies') isDead = true
    else stopped = new Promise((resolve) => void (wake = resolve))
    tellDeath?.(fate)
  }
  const life: Life = {
    isOut: () => isOut,
    async heard() {
      await stopped
      if (isDead) await never()
    },
    async pass(moment) {
      if (!isOut) meet(parts.fate(moment))
      if (isDead) await never()
    },
    async alive(work) {
      try {
        const value = await work
        if (isOut) await life.heard()
        return value
      } catch (error) {
        if (isOut) await life.heard()
        throw error
      }
    },
  }
  const { clock } = parts
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => life.alive(clock.sleep(ms, signal))
  function alarm(ms: number, action: () => void): () => void {
    let isOff = false
    const ring = (): void => void (isOff || action())
    const cancel = clock.alarm(ms, () => (isOut ? void life.heard().then(ring) : ring()))
    return () => {
      isOff = true
      cancel()
    }
  }
  return Object.freeze({
    death,
    isOut: life.isOut,
    isLate: () => isLate,
    live: <T>(name: string, work: () => Promise<T>) => act({ what: 'bucket', name, effect: false }, life, work),
    wake() {
      isLate = true
      wake?.()
    },
    clock: Object.freeze({ now: clock.now, wall: clock.wall, sleep, alarm }),
    fileSystem: mortalFileSystem(parts, life),
    transport: mortalTransport(parts, life),
  })
}

/** A piece of work with a moment before and one after it. */
async function act<T>(at: Omit<Moment, 'when'>, { pass, alive }: Life, work: () => Promise<T>): Promise<T> {
  await pass({ ...at, when: 'before' })
  const value = await alive(work())
  await pass({ ...at, when: 'after' })
  return value
}

function onDisk(name: string): Omit<Moment, 'when'> {
  return { what: 'disk', name, effect: false }
}

function mortalFileSystem({ fileSystem, synced }: MortalParts, life: Life): FileSystem {
  const { alive } = life
  function fileOf(file: OpenFile, path: string): OpenFile {
    let written = ''
    return {
      async write(bytes) {
        await act(onDisk(`write ${path}`), life, () => file.write(bytes))
        written += Buffer.from(bytes).toString()
      },
      sync: () =>
        act(onDisk(`sync ${path}`), life, async () => {
          const text = written
          written = ''
          await file.sync()
          synced?.(text)
        }),
      close: () => alive(file.close()),
    }
  }
  return Object.freeze({
    look: (path: string) => alive(fileSystem.look(path)),
    read: (path: string, maxBytes: number) => alive(fileSystem.read(path, maxBytes)),
    create: async (path: string) => fileOf(await act(onDisk(`create ${path}`), life, () => fileSystem.create(path)), path),
    append: async (path: string) => fileOf(await alive(fileSystem.append(path)), path),
    link: (from: string, to: string) => act(onDisk(`link ${to}`), life, () => fileSystem.link(from, to)),
    rename: (from: string, to: string) => act(onDisk(`rename ${to}`), life, () => fileSystem.rename(from, to)),
    remove: (path: string) => act(onDisk(`remove ${path}`), life, () => fileSystem.remove(path)),
    list: (folder: string) => alive(fileSystem.list(folder)),
    makeFolder: (folder: string) => alive(fileSystem.makeFolder(folder)),
    syncFolder: (folder: string) => act(onDisk(`syncFolder ${folder}`), life, () => fileSystem.syncFolder(folder)),
    restrict: (path: string, mode: number) => alive(fileSystem.restrict(path, mode)),
    resolve: (folder: string) => alive(fileSystem.resolve(folder)),
    isLocal: (folder: string) => alive(fileSystem.isLocal(folder)),
  })
}

function mortalTransport(parts: MortalParts, { pass, alive, heard, isOut }: Life): Transport {
  /** Told once when the request has ended for its caller, who may give it up. */
  function sending(name: string, signal: AbortSignal | undefined): () => void {
    let over = false
    const end = (): void => {
      if (!over && !isOut()) parts.answered?.()
      over = true
    }
    parts.sends?.(name)
    signal?.addEventListener('abort', end, { once: true })
    return end
  }
  return async (request) => {
    const at = { what: 'request', name: `${request.method} ${request.path}`, effect: parts.isEffect(request) } as const
    await pass({ ...at, when: 'before' })
    const ended = at.effect ? sending(at.name, request.signal) : undefined
    const answer = await parts.transport(request).then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    )
    if (isOut()) await heard()
    await pass({ ...at, when: 'after' })
    ended?.()
    if ('error' in answer) throw answer.error
    const { response } = answer
    return { ...response, text: (maxBytes: number) => alive(response.text(maxBytes)) }
  }
}
