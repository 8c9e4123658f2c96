// Which diagnostics say the same, and which must stay apart.
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { groupsOf } from './alike-diagnostics.ts'

type Telling = (at: number) => Diagnostic

const position = { file: 'main.yaml', line: 1, column: 1 }
const placed = (one: Diagnostic): Diagnostic => ({ position, ...one })
const sizesOf = (telling: Telling, count = 40) => groupsOf(Array.from({ length: count }, (_, at) => placed(telling(at)))).map((group) => group.length)
const idOf = (at: number) => String(1152921504606846976n + BigInt(at))
const uuidOf = (at: number) => `0190f7${at + 10}-7c1e-7d4b-9f3a-${at + 10}23456789ab`
const unmanagedHint = 'use { id: "…" } or { name: "…" } for what this project does not manage'

describe('alike are', () => {
  test.each<[string, Telling]>([
    [
      'doubles, each with its id and command',
      (at) =>
        diagnostic('possible_duplicate', `Vpc/same${at}: a Vpc like it exists already (id ${idOf(at)}) and is in no state; another one will be made`, {
          address: `Vpc/same${at}`,
          hint: `take it over with: iac import --sandbox 'Vpc/same${at}' ${idOf(at)}`,
        }),
    ],
    [
      'doubles with short ids and keys',
      (at) =>
        diagnostic('exists', `Vpc/a["it's ${at}"]: such a Vpc exists already (id ${at}) and is in no state`, {
          address: `Vpc/a["it's ${at}"]`,
          hint: `take it over with: iac import 'Vpc/a["it'\\''s ${at}"]' ${at}`,
        }),
    ],
    [
      'new names, each with its line to paste',
      (at) =>
        diagnostic('advice', `Vpc/aaaa${at} would be deleted, and Vpc/bbbb${at} made with the same spec`, {
          address: `Vpc/bbbb${at}`,
          hint: `if it is the same one, write in iac.yaml, under moved:  - { from: Vpc/aaaa${at}, to: Vpc/bbbb${at} }`,
        }),
    ],
    [
      'objects that are not well',
      (at) => diagnostic('advice', `Instance/h${at} is stopped`, { address: `Instance/h${at}`, hint: `\`--replace 'Instance/h${at}'\` makes it anew` }),
    ],
    [
      'steps with a workflow',
      (at) =>
        diagnostic('note', `Instance/x${at}: delete is unfinished (workflow ${uuidOf(at)}); the next apply settles it first`, { address: `Instance/x${at}` }),
    ],
    ['resources of several kinds', (at) => diagnostic('advice', `Kind${at}/a is slow`, { address: `Kind${at}/a`, hint: `see \`iac logs Kind${at}/a\`` })],
    ['ids of nothing', (at) => diagnostic('import_conflict', `Vpc/v${at}: there is no Vpc with id ${1000 + at}`, { address: `Vpc/v${at}` })],
    ['other addresses', (at) => diagnostic('unknown_reference', `depends_on names Vpc/nope${at}, which is not declared`, { address: `Vpc/v${at}` })],
    ['names of nothing', (at) => diagnostic('lookup_failed', `no Plan is called "ryzen-${at}"`)],
    [
      'names that are not declared',
      (at) => diagnostic('unknown_reference', `no Instance named "nope${at}" is declared`, { hint: `declared: web; ${unmanagedHint}` }),
    ],
    ['fields with the nearest one', (at) => diagnostic('unknown_field', `no field "x${at}" exists here`, { hint: `did you mean "name${at}"?` })],
    ['variables with the nearest one', (at) => diagnostic('unknown_variable', `no variable 'x${at}' is declared`, { hint: `did you mean 'name${at}'?` })],
    ['values that are too short', (at) => diagnostic('invalid_value', `name must have at least 4 characters, got the text "v${at}"`)],
    ['values that are too large', (at) => diagnostic('invalid_value', `port must be at most 65535, got ${70_000 + at}`)],
    ['durations', (at) => diagnostic('invalid_value', `create: "${at} minutes" is no duration`, { hint: 'such as 90m' })],
    ['names that are none', (at) => diagnostic('invalid_name', `"${at}v" is no name for a resource`)],
    ['keys that stand twice', (at) => diagnostic('yaml_duplicate_key', 'a key stands twice', { detail: `It stands in line ${at} and in line ${at + 9}.` })],
    ['places of others', (at) => diagnostic('duplicate_resource', 'two are the same', { detail: `The other one is declared in infra/a${at}.yaml:${at}:3.` })],
    ['expressions', (at) => diagnostic('expression', `Vpc has no key 'k${at}' in "\${Vpc['main'].id}"`)],
  ])('%s', (_, telling) => {
    expect(sizesOf(telling)).toEqual([40])
  })
  test('three no group, four one', () => {
    const telling: Telling = (at) => diagnostic('lookup_failed', `no Plan is called "p${at}"`)
    expect(sizesOf(telling, 3)).toEqual([1, 1, 1])
    expect(sizesOf(telling, 4)).toEqual([4])
  })
  test('what is no group stays in its place', () => {
    const all = ['a', 'b', 'c'].map((name, at) =>
      placed(at === 1 ? diagnostic('usage', 'another') : diagnostic('lookup_failed', `no Plan is called "${name}"`)),
    )
    expect(groupsOf(all)).toEqual(all.map((one) => [one]))
  })
})

describe('apart stay', () => {
  test.each<[string, Telling]>([
    ['fields', (at) => diagnostic('missing_field', `the field name${at} is missing`)],
    ['limits', (at) => diagnostic('invalid_value', `name must have at least ${at} characters, got the text "v"`)],
    ['large limits', (at) => diagnostic('invalid_value', `size must be at most ${1000 + at}, got 1`)],
    ['allowed lists', (at) => diagnostic('invalid_value', `mode must be one of A, B${at}, got the text "v"`)],
    ['paths', (at) => diagnostic('unsupported_change', `lifecycle.replace_on: "/spec/field${at}" makes it replace the object`)],
    ['files', (at) => diagnostic('file_unreadable', `infra/a${at}.yaml cannot be read`)],
    ['files in a folder that looks like a kind', (at) => diagnostic('file_unreadable', `Docs/a${at}.yaml cannot be read`)],
    ['ports', (at) => diagnostic('advice', `no rule of Instance/web accepts TCP ${at}: it will be dropped`, { address: 'Instance/web' })],
    ['quotas', (at) => diagnostic('guard_quota', `max_instances of workspace 12: ${at} needed, 3 allowed`)],
    ['kinds that are meant', (at) => diagnostic('unknown_kind', `no kind is named "x${at}"`, { hint: `did you mean Kind${at}?` })],
    ['commands', (at) => diagnostic('invalid_value', 'the id is wrong', { hint: `\`iac get kind${at}\` lists them` })],
    ['reasons', (at) => diagnostic('operation_failed', 'it was refused', { detail: `range${at}: is taken` })],
    ['kinds of other resources', (at) => diagnostic('unknown_reference', `"x" is written with its kind here: Kind${at}/name`, { hint: unmanagedHint })],
    ['hosts', (at) => diagnostic('unreachable', `api.example.com:${8000 + at} cannot be reached`)],
  ])('%s', (_, telling) => {
    expect(sizesOf(telling)).toEqual(Array.from({ length: 40 }, () => 1))
  })
  test('codes and severities', () => {
    const one = diagnostic('advice', 'slow')
    const all = [one, { ...one, code: 'note' as const }, { ...one, severity: 'error' as const }, one, one]
    expect(groupsOf(all)).toHaveLength(5)
  })
  test('a resource whose address begins like another one', () => {
    const telling: Telling = (at) => diagnostic('advice', `Vpc/v${at} waits for Vpc/v${at}0`, { address: `Vpc/v${at}` })
    expect(sizesOf(telling)).toEqual([40])
  })
})

test('very long texts are read in a moment', () => {
  const long = ['A/a["', '"', "'", '9', 'Vpc/', 'a.yaml:', '0190f7a2-'].map((part) => diagnostic('usage', part.repeat(4000), { hint: part.repeat(4000) }))
  const begun = performance.now()
  expect(groupsOf(long)).toHaveLength(long.length)
  expect(performance.now() - begun).toBeLessThan(2000)
})

test('what has neither address nor place is told by its own words, as are limits of any size', () => {
  const unplaced = (at: number) => diagnostic('usage', `--target Instance/a${at} fits no resource`)
  expect(groupsOf(Array.from({ length: 5 }, (_, at) => unplaced(at)))).toHaveLength(5)
  expect(sizesOf((at) => diagnostic('invalid_value', `size must be at most ${1_099_511_627_776 + at}`), 5)).toEqual([1, 1, 1, 1, 1])
})
