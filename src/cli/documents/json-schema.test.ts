// What editors take in a manifest is what the loader takes: null where a field may be left out, sizes in any unit.
import { describe, expect, test } from 'vitest'
import { load } from '../../../test/builders/project.ts'
import { schemaProblems } from '../../../test/builders/schema-problems.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { formatSize } from '../../base/units.ts'
import { kinds } from '../../kinds/registry.ts'
import { manifestFileSchema } from './json-schema.ts'

const schema = manifestFileSchema(kinds)
const managed = kinds.filter((kind) => kind.managed)

function manifest(kind: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'iac/v1', kind, metadata: { name: 'main' }, spec }
}

/** What the schema finds wrong at a field, or within it. */
function refused(kind: string, spec: JsonObject, field: string): readonly string[] {
  return schemaProblems(schema, manifest(kind, spec)).filter((one) => new RegExp(`^/spec/${field}[ /]`).test(one))
}

/** Whether the loader says of some field that it cannot be null; others that are missing do not count. */
function isRefusedByLoader(kind: string, spec: JsonObject): boolean {
  const { diagnostics } = load({ 'iac.yaml': '{apiVersion: iac/v1, kind: Project, name: p}', 'a.yaml': JSON.stringify(manifest(kind, spec)) })
  return diagnostics.some(({ summary }) => / got (?:null|a value that is not shown)$/.test(summary))
}

describe('null', () => {
  test.each(managed.flatMap((kind) => Object.keys(kind.fields).map((field) => [kind.name, field] as const)))(
    'in %s.%s is taken where the loader takes it',
    (kind, field) => {
      const spec = { [field]: null }
      expect(refused(kind, spec, field).length > 0).toBe(isRefusedByLoader(kind, spec))
    },
  )

  test('is refused where a field is required', () => {
    expect(refused('Disk', { size: null }, 'size')).not.toEqual([])
    expect(refused('VpcAttachment', { instance: null }, 'instance')).not.toEqual([])
  })

  test.each(['Disk', 'FloatingIp', 'BgpConfiguration'])('lets the instance of %s go', (kind) => {
    expect(refused(kind, { instance: null }, 'instance')).toEqual([])
    expect(refused(kind, { instance: { id: null } }, 'instance')).not.toEqual([])
  })

  test.each<[string, string, JsonValue, boolean]>([
    ['AppTemplate', 'ports', [{ name: 'web', container_port: 80, protocol: 'TCP', description: null, http: null }], false],
    ['AppTemplate', 'ports', [{ name: 'web', container_port: null, protocol: 'TCP' }], true],
    ['AppTemplate', 'environment', [{ key: 'KEY', value: null, description: null }], false],
    ['AppTemplate', 'environment', [{ key: null, value: 'x' }], true],
    ['AppTemplate', 'environment', [null], true],
    ['App', 'environment', { KEY: null }, false],
    ['K3sService', 'environment', { KEY: null }, true],
  ])('within %s.%s: %j', (kind, field, value, isRefused) => {
    const spec = { [field]: value }
    expect([refused(kind, spec, field).length > 0, isRefusedByLoader(kind, spec)]).toEqual([isRefused, isRefused])
  })
})

test.each([1_500_000_001, 1500, 10_000_000, 100 * 2 ** 30])('a size of %d bytes as it is written for people', (sizeBytes) => {
  expect(refused('Disk', { size: formatSize(sizeBytes) }, 'size')).toEqual([])
})

test.each(['100', 'B', '10iB', '10 GiB', '10XB'])('%j is no size', (written) => {
  expect(refused('Disk', { size: written }, 'size')).not.toEqual([])
})
