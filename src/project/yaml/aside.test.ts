// What was parsed elsewhere is taken as if it had been parsed here: the same documents, places, mistakes and charges.
import { expect, test } from 'vitest'
import { load, manifest } from '../../../test/builders/project.ts'
import { createSource } from '../findings/source.ts'
import { lineOf, readLine } from './aside.ts'
import type { Aside } from './aside.ts'
import { readYaml, textsOf } from './documents.ts'

const texts = [
  'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: net-0 }\nspec: { a: 9007199254740993, b: 1.0, c: "x", d: [1, null, true], e: &x {f: 1}, g: *x }\n',
  'kind: Pod\napiVersion: v1\n',
  'apiVersion: iac/v1\na: [1,\n',
  'apiVersion: iac/v1\na: 1\na: 2\n',
  '# nothing\n',
  'apiVersion: iacv1\nkind: Vpc\nspec: {}\n',
  'apiVersion: iac/v1\nkind: Vpc\nspec:\n  range: 10.0.0.0/8\n  deep: { x: -5, y: 0x10, z: "5" }\n',
]

/** Everything parsed beforehand; `taken` are the texts that it had. */
function everything(): Aside & { readonly taken: string[] } {
  const taken: string[] = []
  return {
    taken,
    begin: () => undefined,
    take(text) {
      const line = lineOf(text)
      if (line !== undefined) taken.push(text)
      return line
    },
  }
}

test('documents, their places and what is wrong with them are the same', () => {
  const source = createSource('a.yaml', texts.join('---\n'))
  const kinds = new Set(['Vpc'])
  const spent = { here: 0, aside: 0 }
  const meter = (name: keyof typeof spent) => ({ spend: (count: number) => void (spent[name] += count), make: () => undefined, keep: () => undefined })
  const here = readYaml(source, { kinds, meter: meter('here') })
  const aside = everything()
  const there = readYaml(source, { kinds, aside, meter: meter('aside') })
  const shown = ({ documents, ...rest }: typeof here) => ({
    ...rest,
    documents: documents.map((one) => [one.value, ['', '/spec', '/spec/range', '/spec/deep/y'].map((pointer) => one.position(pointer))]),
  })
  expect(shown(there)).toEqual(shown(here))
  expect(aside.taken).toHaveLength(4)
  expect(spent.aside).toBeCloseTo(spent.here, 0)
})

test('a line tells integers from doubles, and digits in quotes from both', () => {
  const line = lineOf('a: 1\nb: 1.0\nc: 12345678901234567\nd: "1"\n')
  expect(readLine(line ?? '')).toEqual({ value: { a: 1n, b: 1, c: 12345678901234567n, d: '1' }, root: 0, lexemes: expect.any(Number) })
  expect(lineOf('a: 1\na: 2\n')).toBeUndefined()
})

test('the texts of a file are those that are composed when it is read', () => {
  const kinds = new Set(['Vpc'])
  expect(textsOf(texts.join('---\n'), kinds).map((one) => one.replace(/^---\n/, ''))).toEqual(texts.filter((one) => !one.startsWith('#')))
  expect(textsOf('kind: Pod\napiVersion: v1\n', kinds)).toEqual([])
})

test('is asked only for much text, of which nothing was read before', () => {
  const begun: number[] = []
  const aside: Aside = { begin: (given) => void begun.push(given.length), take: () => undefined }
  const many = Array.from({ length: 600 }, (_, at) =>
    manifest('Vpc', `net-${at}`, `name: net-${at}\ndescription: a network\nrange: 10.${at >> 8}.${at & 255}.0/24`),
  ).join('---\n')
  expect(
    load({ 'a.yaml': many, 'b.yaml': manifest('Vpc', 'last', 'name: last\ndescription: x\nrange: 10.9.0.0/24') }, { aside }).project?.resources,
  ).toHaveLength(601)
  expect(begun).toEqual([601])
  const cache = { get: () => undefined, put: () => undefined }
  load(many, { aside, parsed: { ...cache, isEmpty: false } })
  load(manifest('Vpc', 'last', 'name: last\ndescription: x\nrange: 10.9.0.0/24'), { aside })
  expect(begun).toHaveLength(1)
  load(many, { aside, parsed: { ...cache, isEmpty: true } })
  expect(begun).toEqual([601, 600])
})
