// Whatever the program says tells people to run commands that exist.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandTable } from '../../src/cli/command-table.ts'
import { parseSource } from '../architecture/source-file.ts'

const root = join(import.meta.dirname, '../..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name))
const parents = Object.keys(commandTable).flatMap((name) => (name.includes(' ') ? (name.split(' ')[0] ?? []) : []))
const known = new Set(['help', ...parents, ...Object.keys(commandTable)])

/** The commands that a text names, as `iac COMMAND` in backticks. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/`iac ([a-z][a-z-]*)(?: ([a-z]+))?/g)].map(([, word = '', second = '']) => {
    const isBelow = second !== '' && (known.has(`${word} ${second}`) || (known.has(word) && !Object.hasOwn(commandTable, word)))
    return isBelow ? `${word} ${second}` : word
  })
}

test('every command that a message, a hint or an explanation names is there', () => {
  const named = sources.flatMap((name) =>
    parseSource(`src/${name}`, readFileSync(join(root, 'src', name), 'utf8')).strings.flatMap((one) =>
      commandsIn(one.text).map((command) => ({ command, at: `src/${name}:${one.line}: iac ${command}` })),
    ),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(new Set(named.map((one) => one.command))).toContain('state restore')
  expect(named.filter((one) => !known.has(one.command)).map((one) => one.at)).toEqual([])
})

test('a command that is not there is found', () => {
  const text = 'dial in with `iac dial`, then `iac state restore 4`, `iac state rset 4` or `iac state`, and `iac apply again`'
  expect(commandsIn(text).filter((one) => !known.has(one))).toEqual(['dial', 'state rset'])
})
