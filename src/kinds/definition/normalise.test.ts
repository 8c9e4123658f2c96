// Spellings that are made one before comparing.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { kinds } from '../registry.ts'
import { bytes, cidr, mark, ref, unordered } from './fields.ts'
import type { AnyKind } from './kind.ts'
import { normaliseSpec, normaliseValue } from './normalise.ts'

const word = (form: 'hostname' | 'upper' | 'instant' | 'duration' | 'public_key') => mark(z.string(), { form })
const spec = z.strictObject({
  range: cidr().optional(),
  ranges: z.array(cidr()),
  host: mark(z.string().optional(), { form: 'hostname' }),
  size: bytes().optional(),
  disks: z.array(z.strictObject({ size: bytes() })).optional(),
  state: word('upper'),
  at: word('instant').nullable(),
  life: word('duration'),
  key: word('public_key'),
  sizes: z.record(z.string(), bytes()),
  nets: unordered(z.array(ref('Vpc'))).optional(),
  order: z.array(ref('Vpc')).optional(),
  words: unordered(z.array(z.string())).optional(),
})
const [anyKind] = kinds
const kind = (): AnyKind => {
  if (!anyKind) throw new Error('no kind')
  return { ...anyKind, spec }
}

describe('forms', () => {
  test.each([
    [{ range: '10.1.2.3/8' }, { range: '10.0.0.0/8' }],
    [{ ranges: ['10.1.2.3/8', '2001:DB8::1/32'] }, { ranges: ['10.0.0.0/8', '2001:db8::/32'] }],
    [{ host: 'WWW.Example.com.' }, { host: 'www.example.com' }],
    [{ size: '1GiB' }, { size: 1_073_741_824 }],
    [{ disks: [{ size: '2KB' }] }, { disks: [{ size: 2000 }] }],
    [{ sizes: { a: '1KiB' } }, { sizes: { a: 1024 } }],
    [{ state: 'on' }, { state: 'ON' }],
    [{ at: '2026-01-01T01:00:00+01:00' }, { at: '2026-01-01T00:00:00.000Z' }],
    [{ at: '2026-01-01T01:00' }, { at: '2026-01-01T01:00:00.000Z' }],
    [{ at: '2026-01-01' }, { at: '2026-01-01T00:00:00.000Z' }],
    [{ life: '168h' }, { life: '7d' }],
    [{ key: 'ssh-ed25519  AAAA me@host\n' }, { key: 'ssh-ed25519 AAAA' }],
    [{ nets: ['12', '11', '12'] }, { nets: ['12', '11'] }],
  ])('%o becomes %o', (before, after) => {
    expect(normaliseSpec(kind(), before)).toEqual(after)
  })
  test.each([
    { range: 'nonsense', size: '3 apples', at: 'tomorrow', life: 'long' },
    { range: '\u0001a', ranges: '\u0001b', disks: ['\u0001c'], key: '\u0001d  x y', host: '\u0001E.' },
    { range: null, at: null, strange: 'Kept' },
    { nets: ['\u0001a\u0002', '\u0001a\u0002', '11'], order: ['12', '12'], words: ['a', 'a'] },
    { nets: '\u0001a\u0002' },
  ])('%o stays as it is', (value) => {
    expect(normaliseSpec(kind(), value)).toEqual(value)
  })
})

test('the rules of the kind come after the forms', () => {
  const rule = kinds.find((one) => one.normalise && one.fields.remote)
  expect(rule && normaliseSpec(rule, { type: 'IPv4', remote: '1.2.3.4/0' })).toEqual({ type: 'IPv4' })
})

test('instants are told apart by whole seconds: a service may keep no less', () => {
  expect(normaliseValue(word('instant'), '2026-02-10T01:00:00.999+01:00')).toBe('2026-02-10T00:00:00.000Z')
})
