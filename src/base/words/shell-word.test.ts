// Words for a shell: what it reads is what was meant, and nothing in it is run.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from './shell-word.ts'

test.each(['plain/path-1.yaml', 'a b', '$(touch pwned)', "it's", '`id`', 'a;b', '*', '~', '', '-rf', 'a\nb', '!!'])('%j', (text) => {
  expect(execFileSync('sh', ['-c', `printf '%s|' ${shellWord(text)}`], { encoding: 'utf8' })).toBe(`${text}|`)
})

test('what is plain stays as it is', () => {
  expect(['a/b.plan', '5f2c-1'].map(shellWord)).toEqual(['a/b.plan', '5f2c-1'])
})
