// The state file: its exact form, its way there and back, and everything that is refused.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { recordOf } from '../../test/builders/journal.ts'
import { isLongForm } from '../../test/builders/long-form.ts'
import { Failure } from '../base/diagnostic.ts'
import { canonicalJson, isObject, parseJson, stringifyJson } from '../base/json.ts'
import type { JsonObject } from '../base/json.ts'
import { tokenText } from '../base/token.ts'
import { decodeDocument, emptyDocument, encodeDocument } from './document.ts'
import type { Upgrades } from './document.ts'
import type { StateDocument } from './record.ts'

const salt = Buffer.alloc(32, 1).toString('base64')
const digest = `hmac-sha256:${'ab'.repeat(32)}`
const empty = emptyDocument({ project: 'shop', environment: null, lineage: '3f1c', salt, toolVersion: '1.0.0' })
const resource = recordOf('9007199254740993', { address: 'Vpc/main', spec: { size: 9007199254740993n } })
const document: StateDocument = {
  ...empty,
  serial: 12,
  resources: [
    {
      ...resource,
      address: 'Vpc/zone["b"]',
      id: '9007199254740995',
      deposed: [{ id: '4', spec: { password: tokenText({ is: 'digest', digest }) }, depends_on: ['Vpc/main'] }],
    },
    { ...resource, spec: { ...resource.spec, password: tokenText({ is: 'digest', digest }) }, uncertain: ['size'] },
  ],
  outputs: { ip: { value: '10.0.0.1', sensitive: false } },
}

function parsed(text: string): JsonObject {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

function refusal(content: string | Uint8Array): string {
  try {
    decodeDocument(content, '/s/state.json')
  } catch (error) {
    if (error instanceof Failure && error.exitCode === 9) return `${error.message} ${error.diagnostics[0]?.detail ?? ''}`
    throw error
  }
  throw new Error('was read')
}

/** A file with a right checksum whose content was never checked when it was written. */
function forged(more: object): string {
  return encodeDocument({ ...document, ...more })
}

describe('encodeDocument', () => {
  test('writes a form that diffs well: members in order, sorted by address, two spaces, a final newline', () => {
    const text = encodeDocument(document)
    expect(text.split('\n').slice(0, 13)).toEqual([
      '{',
      '  "format": "iac-state/v1",',
      '  "tool_version": "1.0.0",',
      '  "lineage": "3f1c",',
      '  "serial": 12,',
      `  "salt": "${salt}",`,
      expect.stringMatching(/^ {2}"checksum": "sha256:[0-9a-f]{64}",$/),
      '  "project": "shop",',
      '  "environment": null,',
      '  "resources": [',
      '    {',
      '      "address": "Vpc/main",',
      '      "kind": "Vpc",',
    ])
    expect(text.endsWith('}\n')).toBe(true)
    expect(text).toContain(`"password": {\n          "$digest": "${digest}"`)
    expect(text.match(/"uncertain"/g)).toHaveLength(1)
    expect(text).not.toContain('\\u0001')
  })

  test('reads back what it wrote, and writes the same again', () => {
    const read = decodeDocument(Buffer.from(encodeDocument(document)), 's')
    expect(read).toEqual({ ...document, resources: document.resources.toReversed() })
    expect(encodeDocument(read)).toBe(encodeDocument(document))
  })
})

describe('decodeDocument', () => {
  test('refuses an empty, cut off or altered file', () => {
    const text = encodeDocument(document)
    expect(refusal('')).toContain('empty')
    for (const length of [1, 100, text.length - 2]) expect(refusal(text.slice(0, length))).toContain('/s/state.json')
    for (let at = 0; at < text.length; at += 7) {
      const bytes = Buffer.from(text)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      expect(refusal(bytes)).toContain('/s/state.json')
    }
  })

  test('takes a file edited by hand only where that is asked for', () => {
    const edited = encodeDocument(document).replace('10.0.0.1', '10.0.0.2')
    expect(refusal(edited)).toContain('state pull')
    expect(decodeDocument(edited, 's', { anyChecksum: true }).outputs['ip']?.value).toBe('10.0.0.2')
  })

  test('gives addresses of a file edited by hand the one form that they have, wherever they stand, and takes none twice', () => {
    const [own, other] = [String.raw`Vpc/net["\u00e9\u0041"]`, 'Vpc/net["éA"]']
    const needing = { ...resource, address: 'Vpc/needs', id: '43', depends_on: [own] }
    const edited = (resources: readonly object[]) => decodeDocument(forged({ resources }), 's', { anyChecksum: true })
    const read = edited([{ ...resource, address: own }, needing])
    expect(read.resources.map((one) => [one.address, one.depends_on])).toEqual([
      ['Vpc/needs', [other]],
      [other, resource.depends_on],
    ])
    expect(() =>
      edited([
        { ...resource, address: own },
        { ...resource, address: other, id: '43' },
      ]),
    ).toThrow('is damaged')
  })

  test('takes a file that does not say whose state it is', () => {
    const { project: _, environment: __, ...rest } = JSON.parse(encodeDocument(document))
    expect(decodeDocument(JSON.stringify(rest), 's', { anyChecksum: true })).toMatchObject({ project: '', environment: null })
  })

  test('refuses to write what would be longer than it reads', () => {
    const sizeBytes = Buffer.byteLength(encodeDocument(document))
    expect(encodeDocument(document, sizeBytes)).toBe(encodeDocument(document))
    expect(() => encodeDocument(document, sizeBytes - 1)).toThrow(expect.objectContaining({ exitCode: 1 }))
    const spec = {
      get text(): string {
        throw new RangeError('Invalid string length')
      },
    }
    expect(() => encodeDocument({ ...document, resources: [{ ...resource, spec }] })).toThrow(/longer than 256 MiB/)
  })

  test('reads an older format by its upgrades, one after another, and writes its own', () => {
    const { checksum: _, resources, ...members } = parsed(encodeDocument(document))
    const older = { ...members, format: 'iac-state/v0.1', things: resources ?? [] }
    const kept = stringifyJson({ ...older, checksum: `sha256:${createHash('sha256').update(canonicalJson(older)).digest('hex')}` })
    const upgrades: Upgrades = {
      'iac-state/v0.1': ({ things = [], ...rest }) => ({ ...rest, format: 'iac-state/v0.2', objects: things }),
      'iac-state/v0.2': ({ objects = [], ...rest }) => ({ ...rest, format: 'iac-state/v1', resources: objects }),
    }
    expect(encodeDocument(decodeDocument(kept, 's', { upgrades }))).toBe(encodeDocument(document))
    expect(() => decodeDocument(kept.replace('"serial":12', '"serial":13'), 's', { upgrades })).toThrow('the checksum does not fit')
    expect(refusal(kept)).toContain('does not say that it is iac-state/v1')
  })

  test('refuses a newer format and names both', () => {
    const message = refusal(encodeDocument(document).replace('iac-state/v1', 'iac-state/v2'))
    expect(message).toContain('iac-state/v2')
    expect(message).toContain('iac-state/v1')
    expect(refusal('{"version": 4}')).toContain('does not say that it is iac-state/v1')
  })

  test('refuses what no state of ours holds, the checksum being right', () => {
    expect(refusal(forged({ resources: [resource, resource] }))).toContain('an address stands in it twice')
    const deposed = [{ id: '41', spec: {}, depends_on: [] }]
    for (const other of [{ address: 'Vpc/other' }, { address: 'Vpc/other', id: '41' }, { address: 'Vpc/other', id: '43', deposed }])
      expect(
        refusal(
          forged({
            resources: [
              { ...resource, id: '42', deposed },
              { ...resource, id: '42', ...other },
            ],
          }),
        ),
      ).toContain('an object stands in it twice')
    expect(refusal(forged({ resources: [{ ...resource, address: 'Vpc/../x' }] }))).toContain('resources.0')
    expect(refusal(forged({ resources: [{ ...resource, kind: 'Disk' }] }))).toContain('another kind')
    expect(refusal(forged({ resources: [{ ...resource, id: '' }] }))).toContain('resources.0.id')
    expect(refusal(forged({ serial: -1 }))).toContain('serial')
    expect(refusal(forged({ serial: 2n ** 70n }))).toContain('serial')
    expect(refusal(forged({ resources: [{ ...resource, spec: JSON.parse('{"__proto__": {"x": 1}}') }] }))).toContain('__proto__')
    expect(refusal(forged({ outputs: JSON.parse('{"__proto__": {"value": 1, "sensitive": false}}') }))).toContain('__proto__')
  })

  // It takes seconds.
  test.runIf(isLongForm)('refuses what is hashed as more than a text can hold', { timeout: 60_000, tags: ['longer'] }, () => {
    // Each has 309 digits there.
    expect(refusal(`{"format":"iac-state/v1","x":[${'1e308,'.repeat(1_800_000)}1]}`)).toContain('the checksum does not fit')
  })

  test('survives hostile JSON', () => {
    expect(refusal('['.repeat(1_000_000))).toContain('200 levels')
    expect(refusal('{"a":1,"a":2}')).toContain('same key')
    expect(refusal('[]')).toContain('no JSON object')
    expect(refusal(new Uint8Array([0xff, 0xfe, 0x7b]))).toContain('UTF-8')
    expect(refusal('{"format": {"toString": 1}}')).toContain('iac-state/v1')
    expect(refusal(`[${'[],'.repeat(16_000_000)}[]]`)).toContain('more than 30000000 values')
  })
})
