// Annotations as the runner of GitHub Actions reads them.
import { expect, test } from 'vitest'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { github } from './github.ts'

/** The rules of actions/runner: one command a line, properties apart by commas, escapes undone. */
function run(plan: Plan) {
  const lines = github(reportOf(plan)).split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => {
    const [, command, properties = '', data = ''] = /^::(error|warning|notice)(?: ([^:]*))?::(.*)$/.exec(line) ?? []
    const pairs = properties.split(',').map((one) => one.split('=').map(unescaped))
    return { command, ...Object.fromEntries(pairs), message: unescaped(data) }
  })
}

function unescaped(text: string): string {
  const signs: Readonly<Record<string, string>> = { '%25': '%', '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',' }
  return text.replace(/%(?:25|0D|0A|3A|2C)/g, (one) => signs[one] ?? one)
}

const wrong = (at: number) => diagnostic('usage', `mistake ${at}`, { position: { file: 'a,b:c.yaml', line: at, column: 3 }, detail: '100 %\nsure' })
const many = (count: number) => Array.from({ length: count }, (_, at) => wrong(at + 1))

test('each finding stands at its place, the most severe first', () => {
  const changes = [changeOf({ action: 'replace' }), changeOf({ address: 'Vpc/b', action: 'create' })]
  expect(run(planOf(changes, { diagnostics: [diagnostic('note', 'look'), wrong(7)] }))).toEqual([
    { command: 'error', file: 'infra/a,b:c.yaml', line: '7', col: '3', title: 'usage', message: 'mistake 7\n100 %\nsure' },
    { command: 'warning', file: 'infra/vpc.yaml', line: '3', col: '1', title: 'change_replace', message: 'Vpc/main must be replaced' },
    { command: 'notice', title: 'note', message: 'look' },
  ])
})

test('no more than ten of a sort, and the others counted in one of them', () => {
  const notes = Array.from({ length: 12 }, (_, at) => diagnostic('note', `remark ${at}`))
  const drift = Array.from({ length: 13 }, (_, at) => changeOf({ address: `Vpc/v${at}` }))
  const found = run(planOf([], { diagnostics: [...notes, ...many(11)], drift }))
  const count = (command: string) => found.filter((one) => one.command === command).length
  expect([count('error'), count('warning'), count('notice')]).toEqual([10, 10, 10])
  expect(found.at(-1)?.message).toBe('and 7 more')
})

test.each([10, 11])('%i errors', (count) => {
  const found = run(planOf([], { diagnostics: many(count) }))
  expect(found.map((one) => one.command).join(' ')).toBe(`${'error '.repeat(10)}${count === 10 ? '' : 'notice'}`.trim())
})

test('nothing found is no line', () => {
  expect(github(reportOf(planOf([changeOf({})])))).toBe('')
})

test.each(['a\n::error::forged', 'a\r::add-mask::x', '::set-output name=x::y', '##vso[task.complete]', '##[error]x', 'x%0A::stop-commands::t'])(
  'what is foreign begins no command: %j',
  (text) => {
    const found = run(planOf([], { diagnostics: [diagnostic('usage', text, { detail: text, position: { file: text, line: 1, column: 1 } })] }))
    expect(found).toHaveLength(1)
    expect(found[0]?.message).not.toMatch(/::\w|##\w*\[/)
  },
)
