// A way to a server that loses answers, or falls silent, when the tests say so.
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

/** `cut` lets what was sent arrive and closes the way before the answer, once; `freeze` lets nothing through any more. */
export type Fate = 'pass' | 'cut' | 'freeze'

export interface Proxy {
  readonly port: number
  /** How often an answer was lost. */
  cuts(): number
  stop(): Promise<void>
}

const arrivalMs = 200

/** Starts a proxy on the loopback, to a server there; `fateOf` is asked for whatever a client sends. */
export function startProxy(serverPort: number, fateOf: (sent: Buffer) => Fate): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let [cuts, isFrozen] = [0, false]
  function open(client: Socket): void {
    const server = connect(serverPort, '127.0.0.1')
    let isCut = false
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined))
    client.on('data', (sent) => {
      const fate = fateOf(sent)
      isFrozen ||= fate === 'freeze'
      if (isFrozen) return
      server.write(sent)
      if (fate !== 'cut' || cuts > 0) return
      cuts += 1
      isCut = true
      setTimeout(() => client.destroy(), arrivalMs)
    })
    server.on('data', (answer) => {
      if (!isCut && !isFrozen) client.write(answer)
    })
    client.on('close', () => isFrozen || server.destroy())
    server.on('close', () => isFrozen || client.destroy())
  }
  const listener = createServer(open)
  return new Promise((resolve, reject) => {
    listener.on('error', reject)
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address()
      const stop = async (): Promise<void> => {
        for (const socket of sockets) socket.destroy()
        await new Promise<void>((done) => listener.close(() => done()))
      }
      if (typeof address === 'object' && address) resolve({ port: address.port, cuts: () => cuts, stop })
    })
  })
}

/** A way to a server there that takes so long for whatever a client sends, in milliseconds; answers come at once. */
export function startDelay(serverPort: number, delayMs: number): Promise<Pick<Proxy, 'port' | 'stop'>> {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    for (const socket of [client, server]) sockets.add(socket.setNoDelay().on('error', () => undefined))
    client.on('data', (sent) => setTimeout(() => server.write(sent), delayMs))
    client.on('end', () => setTimeout(() => server.end(), delayMs))
    server.on('data', (answer) => client.write(answer))
    server.on('close', () => client.destroy())
  })
  return new Promise((resolve, reject) => {
    listener.on('error', reject)
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address()
      const stop = async (): Promise<void> => {
        for (const socket of sockets) socket.destroy()
        await new Promise<void>((done) => listener.close(() => done()))
      }
      if (typeof address === 'object' && address) resolve({ port: address.port, stop })
    })
  })
}
