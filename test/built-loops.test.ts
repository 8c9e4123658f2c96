// What the build makes of loops over the members of objects: the same turns, without an iterator.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const loops = pathToFileURL(join(fileURLToPath(new URL('..', import.meta.url)), '.ci/loops.mjs')).href

function written(script: string): string {
  const program = `import { withoutIterators } from '${loops}'; process.stdout.write(withoutIterators(${JSON.stringify(script)}))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
}

test.each([
  ['pairs', `const out = []; for (const [key, value] of Object.entries({ a: 1, b: 2 })) out.push(key + value); out`],
  ['a key that is left out', `const out = []; for (const [, value] of Object.entries({ a: 1 })) out.push(value); out`],
  ['a pair as a whole', `const out = []; for (const pair of Object.entries({ a: 1 })) out.push(pair.join()); out`],
  ['parts of parts', `const out = []; for (const [key, { x = 3, y }] of Object.entries({ a: { y: 1 } })) out.push(key, x, y); out`],
  [
    'keys, one turn within another',
    `const out = []; for (const a of Object.keys({ x: 1, y: 2 })) for (const b of Object.values({ z: a })) out.push(a + b); out`,
  ],
  [
    'turns that end early',
    `const out = []; for (const one of Object.values({ a: 1, b: 2, c: 3 })) { if (one === 1) continue; if (one === 3) break; out.push(one) } out`,
  ],
  ['a name of its own for each turn', `const out = []; for (const [key] of Object.entries({ a: 1, b: 2 })) out.push(() => key); out.map((one) => one())`],
  ['what is added meanwhile', `const all = { a: 1 }; for (const name of Object.keys(all)) all[name + 'b'] = 2; Object.keys(all)`],
  ['callbacks', `Object.entries({ a: 1, b: 2 }).filter(([, value]) => value > 1).map(([key, value], at) => key + value + at)`],
  ['sorted pairs', `const out = []; for (const [key] of Object.entries({ b: 1, a: 2 }).filter(() => true).toSorted()) out.push(key); out`],
])('%s', (_, script) => {
  const rewritten = written(script)
  expect(rewritten).not.toMatch(/ of |\[,? ?(?:key|value)/)
  expect(runInNewContext(rewritten)).toEqual(runInNewContext(script))
})

test.each([
  ['what may be no list', 'for (const [key, value] of new Map()) key + value'],
  ['the rest of a list', 'Object.entries({}).map(([key, ...rest]) => rest)'],
  ['callbacks of what may be no list', 'all.map(([key]) => key)'],
])('%s stays', (_, script) => {
  expect(written(script)).toBe(script)
})

test('a script with an Object of its own is refused', () => {
  expect(() => written('class Object {}')).toThrow('an Object of its own')
})
