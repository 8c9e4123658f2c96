// What a lost request left in doubt of one object, beside another that declares the same field: who looks at it must not matter.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { benchOf } from './service-bench.ts'

const vpc = (name: string): string => manifest('Vpc', name, 'description: x\nrange: 10.0.0.0/24')
const instance = (name: string, more = '', timeouts = ''): string =>
  manifest('Instance', name, `type: PLAN\nplan: ryzen-4\nregion: fra-1\n${more}`, `lifecycle: {}\n${timeouts}`)
const beside = vpc('main') + instance('b', 'vpcs: [main]')

test.each(['', 'firewall_enabled: false'])('a saved plan holds as long as nothing changed: %s', async (more) => {
  const bench = await benchOf(beside + instance('a'))
  const wants = (text: string): void => writeFileSync(join(bench.folder, 'main.yaml'), beside + text)
  wants(instance('a', 'vpcs: [main]', 'timeouts: { update: 2s }'))
  bench.sandbox.faults.hook = ({ operation }) => (operation === 'joinVpc' ? { reset: 'before' as const } : undefined)
  expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 8 })
  bench.sandbox.faults.hook = undefined
  wants(instance('a'))
  // Settles the lost request first.
  expect(await bench.run(['power', 'Instance/a', 'on', '--auto-approve'])).toMatchObject({ code: 0 })
  expect((await bench.run(['state', 'show', 'Instance/a'])).stdout).toMatch(/uncertain += \[\n +"vpcs"/)
  wants(instance('a', more) + vpc('other'))
  expect(await bench.run(['plan', '--out', 'p.json'])).toMatchObject({ code: 0 })
  expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0 })
  expect((await bench.run(['state', 'show', 'Instance/a'])).stdout).not.toContain('uncertain')
})
