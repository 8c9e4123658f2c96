// A process that ends by a defect of its own or for want of memory: the same as kill -9, since nothing is written on the way out.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { drawn } from '../builders/long-form.ts'
import { allCreated, countOf, createFleet, finishMaking, problemsAfterRerun } from './fleet.ts'
import { startIac } from './program.ts'

const ways = {
  'an exception that nobody catches': "throw new Error('a defect')",
  'a promise that nobody waits for': "void Promise.reject(new Error('a defect'))",
  'a stack that overflows': 'const deeper = () => deeper() + 1\ndeeper()',
  'a heap that is full': 'const all = []\nfor (;;) all.push(new Array(100_000).fill(Math.random()))',
} as const

describe.each(drawn(Object.entries(ways), 2, 'ways to end by a defect'))('a run that ends by %s', { tags: ['longer'] }, (_, code) => {
  test('is gone on with by the next one, without a double, an orphan or a manual step', { timeout: 180_000 }, async () => {
    const world = await createFleet(2)
    const sign = join(world.folder, '..', `${process.pid}-${Math.random()}.now`)
    const preload = `${sign}.mjs`
    const watch = `import { existsSync } from 'node:fs'\nsetInterval(() => { if (existsSync(${JSON.stringify(sign)})) {\n${code}\n} }, 20).unref()\n`
    writeFileSync(preload, watch)
    const env = { ...world.environment, NODE_OPTIONS: `--import ${preload} --max-old-space-size=96` }
    const first = startIac(['apply', '--auto-approve'], { cwd: world.folder, env })
    await allCreated(world, 2)
    writeFileSync(sign, '')
    const ended = await first.ended
    expect(ended.code === 0).toBe(false)
    expect(ended.stderr).toMatch(/a defect|call stack|heap/i)
    finishMaking(world)
    expect(await problemsAfterRerun(world, 2)).toEqual([])
    expect(countOf(world, 'create')).toBe(2)
    await world.close()
  })
})
