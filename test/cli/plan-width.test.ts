// Plans on a terminal: every line fits or is one word that cannot be broken, and no word is cut.
import fc from 'fast-check'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fitted } from '../../src/cli/render/text/fitted.ts'
import { widthOf } from '../../src/cli/render/text/width.ts'
import { newFolder, runCli } from './run-cli.ts'

const examples = join(import.meta.dirname, '../../examples')
const projects = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'iac.yaml')))
const environment = { IAC_VAR_db_password: 'correct horse battery', IAC_VAR_session_password: 'correct horse staple' }
const words = (text: string): readonly string[] => text.split(/\s+/)

/** Lines that neither fit nor are one word. */
function misfits(text: string, columns: number): readonly string[] {
  return text.split('\n').filter((line) => widthOf(line) > columns && line.trim().includes(' '))
}

test.each(projects)('the plan of the example %s, at every width', async (name) => {
  const folder = newFolder()
  cpSync(join(examples, name), folder, { recursive: true })
  const { stdout } = await runCli(['plan', '--sandbox'], { folder, environment })
  expect(stdout).toContain('iac will perform the following actions:')
  for (let columns = 40; columns <= 120; columns += 1) {
    const shown = fitted(stdout, columns)
    expect(misfits(shown, columns)).toEqual([])
    expect(words(shown)).toEqual(words(stdout))
  }
  const onTerminal = await runCli(['plan', '--sandbox'], { folder, environment, terminal: { columns: 46, rows: 30 } })
  expect(onTerminal.stdout).toBe(fitted(stdout, 46))
})

test('any text at any width: lines that fit stay, words stay whole, colours take no room', () => {
  const word = fc.stringMatching(/^[a-z"=#~가]{1,30}$/)
  const line = fc.tuple(fc.nat(20), fc.array(word, { maxLength: 12 })).map(([indent, all]) => `${' '.repeat(indent)}${all.join(' ')}`.trimEnd())
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 20, max: 120 }), (lines, columns) => {
      const shown = fitted(lines.join('\n'), columns)
      expect(misfits(shown, columns)).toEqual([])
      expect(words(shown)).toEqual(words(lines.join('\n')))
      if (lines.every((one) => widthOf(one) <= columns)) expect(shown).toBe(lines.join('\n'))
    }),
  )
  expect(fitted('\u001b[1mone two\u001b[22m three', 13)).toBe('\u001b[1mone two\u001b[22m three')
  expect(fitted('  + name = "one two three"', 20)).toBe('  + name = "one two\n      three"')
})
