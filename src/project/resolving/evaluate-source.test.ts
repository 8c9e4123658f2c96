// What a plan left unresolved: evaluated from its text alone, within a budget, since a plan file may come from a stranger.
import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/builders/cpu-time.ts'
import { scopeOf } from '../../../test/builders/project.ts'
import { kinds } from '../../kinds/registry.ts'
import { createEvaluator } from './evaluate-source.ts'

const digits = "['0123456789'.split('')]"
const slow = `string(${digits}.map(t,t.map(a,t.map(b,t.map(c,t.map(d,t.map(e,1)))))).size())`
const evaluator = () => createEvaluator({ kinds, addresses: ['Vpc/main'], variables: {} })

test('a text is evaluated with what is there by then', () => {
  expect(evaluator()("n-${Vpc['main'].id}", scopeOf({ 'Vpc/main.id': '7' }), { address: 'Vpc/other' })).toEqual({ value: 'n-7', sensitive: false })
})

test('a text that asks for endless work is a mistake of its resource', () => {
  const { result, spentMs } = cpuTime(() => evaluator()(`\${${slow}}`.repeat(200), scopeOf({}), { address: 'Vpc/main' }))
  expect(result).toMatchObject({ problem: { code: 'too_much_work', address: 'Vpc/main', detail: expect.stringContaining('2 million steps') } })
  expect(spentMs).toBeLessThan(4000)
})
