// A process that can die: its file system, clock and way to the service, cut off at the moment that was chosen.
import type { Transport, WireRequest } from '../../src/api/transport/wire.ts'
import type { Clock } from '../../src/base/clock.ts'
import type { FileSystem, OpenFile } from '../../src/state/backends/local/file-system.ts'

/** A moment at which a process can die; `effect` marks those around requests that change something. */
export interface Moment {
  readonly what: 'disk' | 'request'
  readonly when: 'before' | 'after'
  readonly name: string
  readonly effect: boolean
}

/** One process: what it is given from outside, and word of its death. */
export interface Mortal {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly transport: Transport
  /** Resolves when it has died; never where it lives on. */
  readonly death: Promise<void>
  isDead(): boolean
}

export interface MortalParts {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly transport: Transport
  readonly isEffect: (request: WireRequest) => boolean
  /** Asked at every moment: true ends the process there and then. */
  readonly dies: (moment: Moment) => boolean
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
  isDead(): boolean
  /** Never ends where the process dies here, or is dead. */
  pass(moment: Moment): Promise<void>
  /** The work's end, unless the process has died meanwhile. */
  alive<T>(work: Promise<T>): Promise<T>
}

/** Nothing that a dead process has begun ever ends; what it had sent goes its way. */
export function mortal(parts: MortalParts): Mortal {
  let dead = false
  let tellDeath: (() => void) | undefined
  const death = new Promise<void>((resolve) => {
    tellDeath = resolve
  })
  const life: Life = {
    isDead: () => dead,
    async pass(moment) {
      if (!dead && parts.dies(moment)) {
        dead = true
        tellDeath?.()
      }
      if (dead) await never()
    },
    async alive(work) {
      try {
        const value = await work
        return dead ? await never() : value
      } catch (error) {
        if (dead) await never()
        throw error
      }
    },
  }
  const { clock } = parts
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => life.alive(clock.sleep(ms, signal))
  return Object.freeze({
    death,
    isDead: life.isDead,
    clock: Object.freeze({ now: clock.now, wall: clock.wall, sleep }),
    fileSystem: mortalFileSystem(parts, life),
    transport: mortalTransport(parts, life),
  })
}

function mortalFileSystem({ fileSystem, synced }: MortalParts, { pass, alive }: Life): FileSystem {
  async function act<T>(name: string, work: () => Promise<T>): Promise<T> {
    const at = { what: 'disk', name, effect: false } as const
    await pass({ ...at, when: 'before' })
    const value = await alive(work())
    await pass({ ...at, when: 'after' })
    return value
  }
  function fileOf(file: OpenFile, path: string): OpenFile {
    let written = ''
    return {
      async write(bytes) {
        await act(`write ${path}`, () => file.write(bytes))
        written += Buffer.from(bytes).toString()
      },
      sync: () =>
        act(`sync ${path}`, async () => {
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
    create: async (path: string) => fileOf(await act(`create ${path}`, () => fileSystem.create(path)), path),
    append: async (path: string) => fileOf(await alive(fileSystem.append(path)), path),
    link: (from: string, to: string) => act(`link ${to}`, () => fileSystem.link(from, to)),
    rename: (from: string, to: string) => act(`rename ${to}`, () => fileSystem.rename(from, to)),
    remove: (path: string) => act(`remove ${path}`, () => fileSystem.remove(path)),
    list: (folder: string) => alive(fileSystem.list(folder)),
    makeFolder: (folder: string) => alive(fileSystem.makeFolder(folder)),
    syncFolder: (folder: string) => act(`syncFolder ${folder}`, () => fileSystem.syncFolder(folder)),
    restrict: (path: string, mode: number) => alive(fileSystem.restrict(path, mode)),
    resolve: (folder: string) => alive(fileSystem.resolve(folder)),
    isLocal: (folder: string) => alive(fileSystem.isLocal(folder)),
  })
}

function mortalTransport(parts: MortalParts, { pass, alive, isDead }: Life): Transport {
  /** Told once when the request has ended for its caller, who may give it up. */
  function sending(name: string, signal: AbortSignal | undefined): () => void {
    let over = false
    const end = (): void => {
      if (!over && !isDead()) parts.answered?.()
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
    await pass({ ...at, when: 'after' })
    ended?.()
    if ('error' in answer) throw answer.error
    const { response } = answer
    return { ...response, text: (maxBytes: number) => alive(response.text(maxBytes)) }
  }
}
