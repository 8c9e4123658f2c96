// Plans as people read them, word for word.
import { describe, expect, test } from 'vitest'
import { changeOf, planOf } from '../../../../test/builders/plan-data.ts'
import { readByTfcmt } from '../../../../test/builders/terraform-readers.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Change, Plan } from '../../../engine/model/plan-data.ts'
import { noColours } from '../text/palette.ts'
import { differs } from './output-changes.ts'
import { changeBlock, driftBlock } from './plan-block.ts'
import { planSentence } from './plan-counts.ts'
import { planText } from './plan-text.ts'
import { ownWords, terraformWords } from './plan-words.ts'

const options = {
  palette: noColours,
  outputsOf: () => [
    { name: 'id', sensitive: false },
    { name: 'code', sensitive: true },
  ],
}

const block = (given: Partial<Change>): string => changeBlock(changeOf(given), options).join('\n')

describe('a block', () => {
  test('of a create lists outputs and what is not known yet', () => {
    const after = { name: 'main', data: { $sensitive: true }, tags: ['a', null], http: { port: 80 } }
    expect(block({ action: 'create', id: null, reason: 'new', after, after_unknown: ['/region', '/tags/1'] })).toBe(`  # Vpc/main will be created
  + resource "Vpc" "main" {
      + code   = (sensitive value)
      + data   = (sensitive value)
      + http   = {
          + port = 80
        }
      + id     = (known after apply)
      + name   = "main"
      + region = (known after apply)
      + tags   = [
          + "a",
          + (known after apply),
        ]
    }`)
  })

  test('of an update shows what changes and counts what does not', () => {
    const before = { name: 'main', note: 'a', size: 1, gone: true, data: { $sensitive: true }, map: { a: 1, b: 2 }, list: ['x', 'y', 'z'] }
    const after = { name: 'main', note: 'b', size: 1, data: { $sensitive: true }, fresh: 'f', map: { a: 1, b: 3 }, list: ['x', 'z', 'w'] }
    const patch = [{ op: 'replace' as const, path: '/data', value: { $sensitive: true } }]
    expect(block({ before, after, patch, disruption: 'restart' })).toBe(`  # Vpc/main will be updated in-place (restarts it)
  ~ resource "Vpc" "main" {
      ~ data  = (sensitive value)
      + fresh = "f"
      - gone  = true -> null
        id    = "7"
      ~ list  = [
          - "y",
          + "w",
            # (2 unchanged elements hidden)
        ]
      ~ map   = {
          ~ b = 2 -> 3
            # (1 unchanged element hidden)
        }
        name  = "main"
      ~ note  = "a" -> "b"
        # (1 unchanged attribute hidden)
    }`)
  })

  test('shows a value as its field is told, before and after, in drift and in a plan', () => {
    const fieldText = (kind: string, pointer: string, value: unknown): string | undefined =>
      kind === 'Vpc' && pointer === '/size' ? `${String(value)} GiB` : undefined
    const change = changeOf({ before: { size: 1, note: 1 }, after: { size: 2, note: 2 } })
    for (const lines of [changeBlock(change, { ...options, fieldText }), driftBlock(change, { ...options, fieldText })]) {
      expect(lines).toContain('      ~ size = 1 GiB -> 2 GiB')
      expect(lines).toContain('      ~ note = 1 -> 2')
    }
  })

  test('of a replacement says what forces it, and in which order', () => {
    const given = {
      action: 'replace' as const,
      reason: 'immutable_field' as const,
      before: { range: '10.0.0.0/8' },
      after: { range: '10.1.0.0/16' },
      replace_paths: ['/range'],
    }
    const text = block(given)
    expect(text).toContain('  # Vpc/main must be replaced\n-/+ resource "Vpc" "main" {')
    expect(text).toContain('      ~ range = "10.0.0.0/8" -> "10.1.0.0/16" # forces replacement')
    expect(text).toContain('      ~ id    = "7" -> (known after apply)')
    expect(block({ ...given, create_before_destroy: true })).toContain('\n+/- resource')
    expect(block({ ...given, reason: 'requested' })).toContain('will be replaced, as requested')
  })

  test('of what goes or is replaced shows the outputs that are recorded', () => {
    const recorded = { before: { a: 1 }, outputs_before: { id: '7', code: { $sensitive: true }, ip4: '198.18.0.1' } }
    const outputsOf = () => [...options.outputsOf(), { name: 'ip4', sensitive: false }]
    const replaced = changeBlock(changeOf({ ...recorded, action: 'replace', reason: 'requested', after: { a: 1 } }), { ...options, outputsOf })
    expect(replaced).toContain('      ~ ip4 = "198.18.0.1" -> (known after apply)')
    expect(replaced.join('\n')).not.toContain('      + ')
    expect(changeBlock(changeOf({ ...recorded, action: 'delete' }), options)).toContain('      - ip4  = "198.18.0.1" -> null')
  })

  test.each<[Partial<Change>, string]>([
    [
      { action: 'delete', reason: 'removed', before: { name: 'a' } },
      '  # Vpc/main will be destroyed\n  # (because Vpc/main is not in the manifests)\n  - resource "Vpc" "main" {\n      - id   = "7" -> null\n      - name = "a" -> null\n    }',
    ],
    [{ action: 'forget', before: {} }, '  # Vpc/main will be removed from the state but will not be destroyed\n  . resource'],
    [{ action: 'import', reason: 'new', before: {}, after: {} }, '  # Vpc/main will be imported\n <= resource'],
    [
      { action: 'import', reason: 'new', before: {}, after: {}, steps: ['update'] },
      '  # Vpc/main will be updated in-place\n  # (imported from "7")\n  ~ resource',
    ],
    [{ action: 'no-op', reason: null, previous_address: 'Vpc/old' }, '  # Vpc/old has moved to Vpc/main\n    resource'],
    [{ action: 'delete', reason: 'removed', deposed: true, before: {} }, '  # Vpc/main (deposed object 7) will be destroyed\n  - resource'],
  ])('of %j', (given, text) => {
    expect(block(given)).toContain(text)
  })

  test('ends where parsers look for its end, whatever stands in it', () => {
    const after = { a: 'x\n    }\n  # Vpc/other will be destroyed', b: [{ c: [{ d: 'e' }] }], '}': '::error::x', 'k\u001b': '\u202e' }
    const lines = changeBlock(changeOf({ action: 'create', after }), options)
    expect(lines.filter((line) => line === '    }')).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith('  # '))).toHaveLength(1)
    expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })

  test('of drift', () => {
    expect(driftBlock(changeOf({ before: { a: 1 }, after: { a: 2 } }), options)).toEqual([
      '  # Vpc/main has changed',
      '  ~ resource "Vpc" "main" {',
      '      ~ a  = 1 -> 2',
      '        id = "7"',
      '    }',
    ])
    expect(driftBlock(changeOf({ action: 'delete', before: { a: 1 } }), options)[0]).toBe('  # Vpc/main has been deleted')
  })
})

describe('a plan', () => {
  test('stands in byte order, its sentence last', () => {
    const changes = ['Vpc/b', 'Vpc/a-2', 'Vpc/a'].map((address) => changeOf({ address, action: 'create', id: null, after: {} }))
    const text = planText(planOf(changes), options)
    expect([...text.matchAll(/# (\S+) will be created/g)].map((match) => match[1])).toEqual(['Vpc/a', 'Vpc/a-2', 'Vpc/b'])
    expect(text.endsWith('\nPlan: 3 to add, 0 to change, 0 to destroy.\n')).toBe(true)
  })
  test('without a change says so', () => {
    expect(planText(planOf([changeOf({ action: 'no-op', reason: null })]), options)).toBe('No changes. Your infrastructure matches the manifests.\n')
  })
  test('that selects nothing of what differs says so, and matches nothing', () => {
    const said = (given: Partial<Plan>, words = ownWords) => planText(planOf([], given), { ...options, words })
    expect(said({ left_out: ['Vpc/a'] })).toBe('No changes. Nothing is changed by this plan: 1 resource that differs is left out of it.\n')
    expect(said({ left_out: ['Vpc/a', 'Vpc/b'] })).toBe('No changes. Nothing is changed by this plan: 2 resources that differ are left out of it.\n')
    const drifted = 'No changes. Nothing is recorded by this plan: 1 resource that has drifted is left out of it.\n'
    expect(said({ mode: 'refresh-only', left_out: ['Vpc/a'] })).toBe(drifted)
    expect(readByTfcmt(said({ left_out: ['Vpc/a'] }, terraformWords)).result).toMatch(/^No changes\. Your infrastructure matches the configuration\./)
  })
  test('of a destroy without a change says what is left as it is', () => {
    const kept = ['Vpc/b', 'Vpc/a'].map((address) => changeOf({ address, action: 'no-op', reason: null }))
    expect(planText(planOf(kept, { mode: 'destroy' }), options)).toBe('No changes. Nothing is destroyed. Left as it is: Vpc/a, Vpc/b.\n')
    expect(planText(planOf([], { mode: 'destroy' }), options)).toBe('No changes. There is nothing to destroy.\n')
    const strict = planText(planOf(kept, { mode: 'destroy' }), { ...options, words: terraformWords })
    expect([strict, readByTfcmt(strict).result]).toEqual(Array(2).fill(expect.stringMatching(/^No changes\. No objects need to be destroyed\.\n?$/)))
  })
  test('with a new name alone is no plan without a change', () => {
    expect(planText(planOf([changeOf({ action: 'no-op', reason: null, previous_address: 'Vpc/old' })]), options)).toContain(
      'Plan: 0 to add, 0 to change, 0 to destroy.',
    )
  })
  test('shows outputs, price and quota', () => {
    const cost = {
      currency: 'USD',
      unit: 'micro',
      hourly_before: '0',
      hourly_after: '30000',
      monthly_before: '0',
      monthly_after: '21900000',
      unpriced: ['K3sCluster/main'],
    } as const
    const quota = [{ workspace: '1', name: 'max_vpcs', used: 9, after: 11, limit: 10, exceeded: true }]
    const outputs = { same: { value: 1, sensitive: false }, next: { expression: '${x}' }, secret: { value: null, sensitive: true } }
    const before = { same: { value: 1, sensitive: false }, gone: { value: 'g', sensitive: false } }
    const text = planText(planOf([changeOf({ action: 'create', id: null, after: {} })], { cost, quota, outputs, outputs_before: before }), options)
    expect(text).toContain('Price: 0.00 -> 21.90 USD a month (+21.90 a month, +0.0300 an hour).\nNot in the price: K3sCluster/main\n')
    expect(text).toContain('Quota: max_vpcs 9 -> 11 of 10 in workspace 1, exceeded\n')
    expect(text).toContain('Changes to Outputs:\n  - gone   = "g" -> null\n  + next   = (known after apply)\n  + secret = (sensitive value)\n')
  })
  test('shows quota that is nearly used up or exceeded, with --verbose all of it; sizes and workspaces by name', () => {
    const row = { workspace: '1', used: 0, limit: 10, exceeded: false }
    const quota = [
      { ...row, name: 'max_vpcs', after: 8 },
      { ...row, name: 'max_instances', after: 9 },
      { ...row, name: 'max_storage_bytes', after: 128_849_018_880, limit: 107_374_182_400, exceeded: true },
    ]
    const plan = planOf([], { quota })
    expect(planText({ ...plan, workspaces: { '1': 'prod' } }, options)).toContain(
      'Quota: max_instances 0 -> 9 of 10 in workspace prod (1)\nQuota: max_storage_bytes 0 -> 120 GiB of 100 GiB in workspace prod (1), exceeded\n',
    )
    expect(planText(plan, options)).not.toContain('max_vpcs')
    expect(planText(plan, { ...options, verbose: true })).toContain('Quota: max_vpcs 0 -> 8 of 10 in workspace 1\n')
  })
  test('shows what is forgotten as it stays, since nothing of it goes', () => {
    const change = changeOf({ action: 'forget', reason: 'removed', before: { name: 'main', range: '10.0.0.0/24' } })
    expect(changeBlock(change, options)).toEqual([
      '  # Vpc/main will be removed from the state but will not be destroyed',
      '  . resource "Vpc" "main" {',
      '        id   = "7"',
      '        name = "main"',
      '        # (1 unchanged attribute hidden)',
      '    }',
    ])
  })
  test('that could not be made does not say that nothing changes', () => {
    const failed = planOf([], { diagnostics: [diagnostic('import_conflict', 'there is no Vpc with id 9')] })
    expect(planText(failed, options)).toBe('Planning failed: see the errors.\n')
    expect(planText(planOf([], { diagnostics: [diagnostic('advice', 'by the way')] }), options)).toMatch(/^No changes\./)
  })
  test('names the workspace that nobody named, where something changes', () => {
    const only = { workspaces: { '1': 'prod' }, only_workspace: '1' }
    expect(planText(planOf([changeOf({ action: 'create', id: null, after: {} })], only), options)).toContain(
      '\n\nWorkspace: prod (1), the only one that the caller sees.\n\nPlan: 1 to add',
    )
    expect(planText(planOf([], only), options)).not.toContain('Workspace:')
  })
  test('that changes outputs alone says so, and what stays unknown is no change', () => {
    const recorded = { ip: { value: '198.18.0.1', sensitive: false } }
    const changed = planOf([], { outputs_before: recorded, outputs: { ip: { value: '198.18.0.2', sensitive: false }, later: { expression: '${x}' } } })
    expect(planText(changed, options)).toBe(
      'Changes to Outputs:\n  ~ ip = "198.18.0.1" -> "198.18.0.2"\n\nYou can apply this plan to save these new output values to the state, without changing any real infrastructure.\n',
    )
    expect(differs(changed)).toBe(true)
    const same = planOf([], { outputs_before: recorded, outputs: { ...recorded, later: { expression: '${x}' } } })
    expect(differs(same)).toBe(false)
    expect(differs({ ...changed, mode: 'refresh-only' })).toBe(false)
    expect(planText(same, options)).toBe('No changes. Your infrastructure matches the manifests.\n')
  })
  test('without a change tells no price', () => {
    const cost = {
      currency: 'USD',
      unit: 'micro',
      hourly_before: '1',
      hourly_after: '1',
      monthly_before: '672',
      monthly_after: '672',
      unpriced: ['K3sCluster/main'],
    } as const
    expect(planText(planOf([], { cost, quota: [] }), options)).toBe('No changes. Your infrastructure matches the manifests.\n')
  })
  test.each([
    [{ create: 1, update: 2, replace: 3, delete: 4, import: 0, forget: 0, no_op: 9 }, 'Plan: 4 to add, 2 to change, 7 to destroy.'],
    [{ create: 0, update: 0, replace: 0, delete: 0, import: 5, forget: 2, no_op: 0 }, 'Plan: 5 to import, 0 to add, 0 to change, 0 to destroy, 2 to forget.'],
  ])('counts %j', (summary, sentence) => {
    expect(planSentence(summary)).toBe(sentence)
  })
})

test.each([
  [true, '<green:+>/<red:->'],
  [false, '<red:->/<green:+>'],
])('a replacement is coloured in its two parts, created first: %s', (createFirst, symbol) => {
  const mark = (name: string) => (text: string | number | null | undefined) => `<${name}:${text ?? ''}>`
  const palette = { ...noColours, red: mark('red'), green: mark('green') }
  const text = changeBlock(changeOf({ action: 'replace', before: { name: 'a' }, after: { name: 'b' }, create_before_destroy: createFirst }), {
    ...options,
    palette,
  })
  expect(text.join('\n')).toContain(symbol)
})

test('in the words of readers of Terraform a verdict ends its line, and what it costs stands below', () => {
  const changes = [
    changeOf({ address: 'Vpc/a', action: 'delete', disruption: 'data_loss', reason: 'removed' }),
    changeOf({ address: 'Vpc/b', action: 'replace', disruption: 'interruption', reason: 'failed' }),
    changeOf({ address: 'Vpc/c', action: 'update', disruption: 'restart', previous_address: 'Vpc/old' }),
  ]
  const text = planText(planOf(changes, { drift: [changeOf({})] }), { ...options, words: terraformWords })
  expect(readByTfcmt(text)).toMatchObject({ deleted: ['Vpc/a'], replaced: ['Vpc/b'], updated: ['Vpc/c'], hasDestroy: true })
  expect(text).toContain('  # Vpc/a will be destroyed\n  # (because Vpc/a is not in the manifests)\n  # (loses its data)\n')
  expect(text).toContain('  # Vpc/c will be updated in-place\n  # (moved from Vpc/old)\n  # (restarts it)\n')
})

test('what goes by the plan is not told to have changed before, but where all that changed is recorded', () => {
  const drift = [changeOf({ address: 'Vpc/a', before: { name: 'one' }, after: { name: 'two' } }), changeOf({ address: 'Vpc/b', action: 'delete' })]
  const changes = [changeOf({ address: 'Vpc/a', action: 'delete', before: { name: 'two' }, after: null }), changeOf({ address: 'Vpc/b', action: 'create' })]
  const text = planText(planOf(changes, { drift }), options)
  expect([text.includes('Vpc/a has changed'), text.includes('Vpc/b has been deleted'), text.includes('Vpc/a will be destroyed')]).toEqual([false, true, true])
  expect(planText(planOf(changes, { drift, mode: 'refresh-only' }), options)).toContain('Vpc/a has changed')
})
