// Where many secrets stand beside many mistakes, each mistake is told in time.
import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/builders/cpu-time.ts'
import { kinds } from '../../kinds/registry.ts'
import { createSource } from '../findings/source.ts'
import { readYaml } from './documents.ts'
import { withoutSecretLines } from './secret-fields.ts'

const many = 40_000
const lines = (line: (at: number) => string): string => Array.from({ length: many }, (_, at) => line(at)).join('')

test('the lines of 40,000 names beside 40,000 keys of a secret', () => {
  const text = `apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\nspec:\n${lines((at) => `  nam${at}: 5\n`)}  data:\n${lines((at) => `    K${at}: canary\n`)}`
  const [written] = readYaml(createSource('a.yaml', text)).documents
  if (!written) throw new Error('no document')
  const document = withoutSecretLines(written, new Map(kinds.map((kind) => [kind.name, kind])))
  const { result, spentMs } = cpuTime(() => Array.from({ length: many }, (_, at) => document.position(`/spec/nam${at}`, { key: true }).text))
  expect(result[0]).toBe('  nam0: 5')
  expect(document.position('/spec/data/K7').text).toBeUndefined()
  expect(spentMs).toBeLessThan(1000)
}, 60_000)
