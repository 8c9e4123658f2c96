// A port whose process never accepts: what connects there hears nothing.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'

const code =
  "const s=require('net').createServer().listen({host:'127.0.0.2',port:0,backlog:1},()=>{require('fs').writeSync(1,String(s.address().port));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)})"

/** A port of 127.0.0.2 with a full queue; `close` ends its process. */
export async function silentPort(): Promise<{ readonly port: number; close(): void }> {
  const child = spawn(process.execPath, ['-e', code])
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))))
  const fillers = Array.from({ length: 4 }, () => connect({ host: '127.0.0.2', port }).on('error', () => undefined))
  await new Promise((resolve) => setTimeout(resolve, 100))
  return {
    port,
    close() {
      child.kill('SIGKILL')
      for (const filler of fillers) filler.destroy()
    },
  }
}
