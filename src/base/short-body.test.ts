// A short body by events: whole, cut off, and what is not taken for short.
import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import type { Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { saysShort, shortBody } from './short-body.ts'

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function answerOf(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject).end())
}

test.each(['', 'a', 'ü'.repeat(30_000)])('a body comes whole', async (text) => {
  const port = await portOf(createServer((_, answer) => answer.end(text)))
  const answer = await answerOf(port)
  expect(saysShort(answer.headers)).toBe(true)
  expect((await shortBody(answer)).toString()).toBe(text)
})

test.each(['', 'abc'])('one that ends before it is whole is an error, not what had come of it (%j)', async (part) => {
  const port = await portOf(createSocketServer((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n${part}`).on('error', () => undefined)))
  await expect(shortBody(await answerOf(port))).rejects.toThrow('aborted')
})

test('nor is one that was broken off before anybody read it', async () => {
  const port = await portOf(createServer((_, answer) => answer.writeHead(200, { 'content-length': 9 }).write('abc')))
  const answer = await answerOf(port)
  answer.on('error', () => undefined).destroy(new Error('enough'))
  await expect(shortBody(answer)).rejects.toThrow('enough')
})

test.each([
  ['without a length', {}],
  ['in chunks', { 'content-length': '5', 'transfer-encoding': 'chunked' }],
  ['that is longer', { 'content-length': '65537' }],
  ['whose length is no number', { 'content-length': '5, 5' }],
])('a body %s is not taken for short', (_, headers) => {
  expect(saysShort(headers)).toBe(false)
})
