// The program's own files: each run once, from the folder of whoever asks; builtin modules by their names.
import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { loadProgram } from './load-program.ts'

const wrapped = (text: string): Script => new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`)

test('files ask for each other by paths, and get the same module each time', () => {
  const said: unknown[] = []
  const files: Readonly<Record<string, string>> = {
    'chunks/main.cjs': "require('node:say')([require('./a.cjs').n, require('./deep/b.cjs').n, __filename, __dirname])",
    'chunks/a.cjs': "require('node:say')('a'); exports.n = 1",
    'chunks/deep/b.cjs': "exports.n = require('../a.cjs').n + 1",
  }
  const builtin = (id: string): unknown => (id === 'node:say' ? (what: unknown) => said.push(what) : undefined)
  loadProgram('chunks/main.cjs', { compile: (path) => wrapped(files[path] ?? ''), builtin })
  expect(said).toEqual(['a', [1, 2, 'chunks/main.cjs', 'chunks']])
})

test('a file that was built otherwise is no part of it', () => {
  expect(() => loadProgram('a.cjs', { compile: () => new Script('1'), builtin: () => undefined })).toThrow('a.cjs is no part of this program')
})

test('all of it is compiled under the flags that it was started with', () => {
  const said: string[] = []
  const files: Readonly<Record<string, string>> = {
    'main.cjs': "exports.flags = { asStarted(work) { say('as started'); const done = work(); say('as they were'); return done } }; require('./a.cjs')",
    'a.cjs': "say('runs')",
  }
  const compile = (path: string): Script => {
    said.push(`compiles ${path}`)
    return new Script(`(function (exports, require) { const say = require('say'); ${files[path]}\n})`)
  }
  const { asStarted } = loadProgram('main.cjs', { compile, builtin: () => (what: string) => said.push(what) })
  expect(said).toEqual(['compiles main.cjs', 'as started', 'compiles a.cjs', 'as they were', 'runs'])
  asStarted(() => said.push('kept'))
  expect(said.slice(5)).toEqual(['as started', 'kept', 'as they were'])
})
