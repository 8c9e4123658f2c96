// Whether a process is gone for certain, by what the system tells of it.
import { expect, test } from 'vitest'
import { realMachine } from './process-identity.ts'

const machine = await realMachine(process.pid)
const other = { ...machine.identity, boot: 'ad5e6cb8-2d5f-4f0c-9d0c-5b0e6b3f7a11', pid: 7 }

// Elsewhere than on Linux nothing tells one boot from another.
test.skipIf(machine.identity.boot === '')('a process of before the last boot is gone, where only this machine reaches its lock', async () => {
  expect(await machine.isGone(other, true)).toBe(true)
  expect(await machine.isGone(other, false)).toBe(false)
})

test('a process of a container may live, although its boot is another one: some draw one for each container', async () => {
  expect(await machine.isGone({ ...other, host: 'box', namespace: 'pid:[4026532999]' }, true)).toBe(false)
})
