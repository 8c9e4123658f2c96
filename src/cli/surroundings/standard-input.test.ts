// Standard input as questions and manifests read it.
import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { inputOf } from './standard-input.ts'

test('lines come one at a time, the last one without its end, and then none', async () => {
  const stream = new PassThrough()
  const input = inputOf(stream)
  stream.write('yes\r\nno')
  stream.end()
  expect([await input.readLine(), await input.readLine(), await input.readLine()]).toEqual(['yes', 'no', undefined])
})

test('a line may come in pieces', async () => {
  const stream = new PassThrough()
  const input = inputOf(stream)
  const line = input.readLine()
  stream.write('y')
  await new Promise((resolve) => setImmediate(resolve))
  stream.write('es\n')
  expect(await line).toBe('yes')
})

test('what was not asked for is part of all the rest, after which there is no line and no byte', async () => {
  const stream = new PassThrough()
  const input = inputOf(stream)
  stream.write('yes\nkind: Vpc\n')
  expect(await input.readLine()).toBe('yes')
  stream.end('more')
  expect(new TextDecoder().decode(await input.readAll(1024))).toBe('kind: Vpc\nmore')
  expect(await input.readLine()).toBeUndefined()
  expect(await input.readAll(1024)).toHaveLength(0)
})

test('input without an end is given up once it is more than is wanted', async () => {
  const endless = new Readable({ read: (size) => void endless.push(Buffer.alloc(size, 'a')) })
  const read = await inputOf(endless).readAll(100_000)
  expect(read.length).toBeGreaterThan(100_000)
  expect(read.length).toBeLessThan(300_000)
})

test('a line without an end is given up as well, and nothing comes after it', async () => {
  let given = 0
  const endless = new Readable({ read: (size) => void endless.push((given += size) < 50_000_000 ? Buffer.alloc(size, 'y') : null) })
  const input = inputOf(endless)
  expect(await input.readLine()).toMatch(/^y+$/)
  expect(given).toBeLessThan(3_000_000)
  expect(await input.readLine()).toBeUndefined()
})

test('a question is left by its signal, and its answer stays for the next', async () => {
  const stream = new PassThrough()
  const input = inputOf(stream)
  const stop = new AbortController()
  const asked = input.readLine(stop.signal)
  stop.abort()
  expect(await asked).toBeUndefined()
  stream.write('later\n')
  expect(await input.readLine()).toBe('later')
})

/** A terminal that records whether it shows what is typed. */
function terminal() {
  const modes: boolean[] = []
  const stream = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => modes.push(on) })
  return { stream, modes, input: inputOf(stream) }
}

test('a secret is typed unseen, and what is typed behind it is the next answer', async () => {
  const { stream, modes, input } = terminal()
  let modesAsked: boolean[] = []
  const secret = input.readSecret(undefined, () => void (modesAsked = [...modes]))
  expect(modesAsked).toEqual([true])
  stream.write('pass')
  await new Promise((resolve) => setImmediate(resolve))
  stream.write('wordx\u007f\ryes\n')
  expect(await secret).toBe('password')
  expect(modes).toEqual([true, false])
  expect(await input.readLine()).toBe('yes')
})

test('^C and ^D at a secret end it, and the terminal shows again what is typed', async () => {
  const { stream, modes, input } = terminal()
  const secret = input.readSecret()
  stream.write('half\u0003')
  await expect(secret).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  const other = input.readSecret()
  stream.write('\u0004')
  expect([await other, modes]).toEqual([undefined, [true, false, true, false]])
})

test('a secret from a pipe is its next line', async () => {
  const stream = new PassThrough()
  const input = inputOf(stream)
  stream.end('pass word\r\n123456\n')
  expect([await input.readSecret(), await input.readSecret(), await input.readSecret()]).toEqual(['pass word', '123456', undefined])
})
