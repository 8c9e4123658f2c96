// A wrong address of the state is told without what may be a secret in it.
import { describe, expect, test } from 'vitest'
import { load } from '../../../test/builders/project.ts'

function told(setting: string, address: string): string {
  const backend = setting === 'endpoint' ? 's3, bucket: abc' : 'http'
  const file = `apiVersion: iac/v1\nkind: Project\nname: p\nstate: {backend: ${backend}, ${setting}: ${JSON.stringify(address)}}\n`
  const { diagnostics } = load({ 'iac.yaml': file })
  expect(diagnostics.length).toBeGreaterThan(0)
  return JSON.stringify(diagnostics.map(({ summary, position }) => [summary, position]))
}

describe('what leads to the server is told', () => {
  test.each([
    ['address', 'htps://h.example', '\\"htps://h.example\\"'],
    ['address', 'https//h.example/state', '\\"https//h.example\\" with more'],
    ['address', 'http:/h.example:80/canary', '\\"http:/h.example:80\\" with more'],
    ['address', 'https:///state', '\\"https://\\" with more'],
    ['address', 'https://h.example:8443/a b', '\\"https://h.example:8443\\" with more'],
    ['address', 'https://u:canary@h.example/state', '\\"https://h.example\\" with more'],
    ['address', 'htps://u:can/ary@h.example/state', '\\"htps://h.example\\" with more'],
    ['address', 'ftp://h.example?token=canary', '\\"ftp://h.example\\" with more'],
    ['address', 'https://h.example#canary', '\\"https://h.example\\" with more'],
    ['address', 'ftp://h.example/s&token=canary', '\\"ftp://h.example\\" with more'],
    ['address', 'htp://h.example/s;token=canary', '\\"htp://h.example\\" with more'],
    ['address', 'ftp://hooks.test/T000/B000/canary', '\\"ftp://hooks.test\\" with more'],
    ['lock_address', 'ftp://u:canary@h.example/lock?k=canary#canary', '\\"ftp://h.example\\" with more'],
    ['journal_address', 'ftp://h.example/', '\\"ftp://h.example\\"'],
    ['endpoint', 'https://canary:canary@h.example/x', '\\"https://h.example\\" with more'],
    ['endpoint', 'ftp://h.example/canary', '\\"ftp://h.example\\" with more'],
  ])('%s %s', (setting, address, shown) => {
    const text = told(setting, address)
    expect(text).toContain(shown)
    expect(text).not.toMatch(/canary|ary@/)
  })
})

describe('nothing is told where a part of it may be a secret', () => {
  test.each([
    'https://u:can?ary@h.example/',
    'htps://h.example/s?user=me@canary',
    'canary',
    'u:canary@',
    'can/ary+canary=',
    'htps://u:canary/s',
    'https:canary',
    'canary/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'canary//bPxRfiCYEXAMPLEKEY',
    'canary:/bPxRfiCYEXAMPLEKEY',
    'ftp://h.example/T000/B@canary',
  ])('%s', (address) => {
    const text = told('address', address)
    expect(text).toContain('a value that is not shown')
    expect(text).not.toMatch(/canary|ary@/)
  })
})
