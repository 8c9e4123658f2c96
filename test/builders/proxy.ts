// A way to a server that loses answers, or falls silent, when the tests say so.
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

/**
 * `cut` lets what was sent arrive and closes the way before the answer, `drop` closes it before it arrives, each once; `freeze` lets nothing through any more.
 * After `dies before` or `dies after` what was sent has arrived there is nobody on this side any more.
 */
export type Fate = 'pass' | 'cut' | 'drop' | 'freeze' | 'dies before' | 'dies after'

export interface Proxy {
  readonly port: number
  /** How often the way was closed. */
  cuts(): number
  stop(): Promise<void>
}

/** Starts a proxy on the loopback, to a server there; `fateOf` is asked for whatever a client sends. */
export function startProxy(serverPort: number, fateOf: (sent: Buffer) => Fate): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let [cuts, isFrozen, isDead] = [0, false, false]
  function open(client: Socket): void {
    if (isDead) return void client.on('error', () => undefined).destroy()
    const server = connect(serverPort, '127.0.0.1')
    let isCut = false
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined))
    client.on('data', (sent) => {
      if (isDead) return
      const fate = fateOf(sent)
      isFrozen ||= fate === 'freeze'
      if (isFrozen) return
      isDead = fate.startsWith('dies')
      const isLost = isDead || ((fate === 'cut' || fate === 'drop') && cuts === 0)
      if (isLost) cuts += 1
      if (isLost && (fate === 'drop' || fate === 'dies before')) return void client.destroy()
      server.write(sent)
      isCut ||= isLost
      if (isDead) server.end()
      if (isDead) client.destroy()
    })
    server.on('data', (answer) => {
      if (isCut) client.destroy()
      else if (!isFrozen) client.write(answer)
    })
    // Of one that died what was sent still arrives.
    client.on('close', () => isFrozen || (isDead && isCut) || server.destroy())
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
