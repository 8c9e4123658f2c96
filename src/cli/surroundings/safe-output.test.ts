// What reaches a stream, whatever was written to it: words, and data for programs.
import { describe, expect, test } from 'vitest'
import { safeOutput } from './safe-output.ts'
import type { Sink } from './surroundings.ts'

const screen = { columns: 80, rows: 24 }

function written(sink: Partial<Sink>, environment: Readonly<Record<string, string>> = {}) {
  const out: string[] = []
  const output = safeOutput({ write: (text) => void out.push(text), size: undefined, colours: false, isFile: false, isGone: false, ...sink }, environment)
  return { output, text: () => out.join('') }
}

describe('words', () => {
  const words = '\u001b[31mred\u001b[39m \u001b[8mgone \u001b]52;c;aGk=\u0007 \u009b2J \u202eexe.gnp\r::error::x\n\u001b[2Aup ##[group]'
  test.each([
    ['a pipe', {}, '\\x1b[31mred\\x1b[39m \\x1b[8mgone \\x1b]52;c;aGk=\\x07 \\x9b2J U+202Eexe.gnp\\x0d: :error: :x\n\\x1b[2Aup ## [group]'],
    [
      'a terminal with colours',
      { colours: true, size: screen },
      '\u001b[31mred\u001b[39m \\x1b[8mgone \\x1b]52;c;aGk=\\x07 \\x9b2J U+202Eexe.gnp\r: :error: :x\n\u001b[2Aup ## [group]',
    ],
  ] as const)('to %s', (_, sink, expected) => {
    const { output, text } = written(sink)
    output.write(words)
    expect(text()).toBe(expected)
  })
})

describe('data', () => {
  const data = 'a\u001b[8m\r\n::add-mask::x ##[y]\n'
  test.each([
    ['a pipe', {}, {}],
    ['a file', { isFile: true }, {}],
    ['a file of a pipeline', { isFile: true }, { CI: 'true' }],
    ['a pipe where CI is off', {}, { CI: 'false' }],
  ])('goes to %s as it is', (_, sink, environment) => {
    const { output, text } = written(sink, environment)
    output.data(data)
    expect(text()).toBe(data)
  })
  test('is made safe on a terminal', () => {
    const { output, text } = written({ size: screen })
    output.data(data)
    expect(text()).toBe('a\\x1b[8m\n: :add-mask: :x ## [y]\n')
  })
  test.each(['CI', 'GITHUB_ACTIONS', 'GITLAB_CI', 'TF_BUILD', 'TEAMCITY_VERSION'])('is refused where a runner may read it: %s', (name) => {
    const { output, text } = written({}, { [name]: 'true' })
    expect(() => output.data(data)).toThrow(/cannot be printed as it is/)
    output.data('::1 fd00::a std::vector')
    expect(text()).toBe('::1 fd00::a std::vector')
  })
})
