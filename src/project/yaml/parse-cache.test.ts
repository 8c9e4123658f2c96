// Loading through a parse cache: the same project, and no secret in what is kept.
import { describe, expect, test } from 'vitest'
import { load, manifest } from '../../../test/builders/project.ts'
import type { ParseCache, Parsed } from './parse-cache.ts'

function memoryCache(): ParseCache & { readonly kept: Map<string, Parsed>; hits: number } {
  const kept = new Map<string, Parsed>()
  const cache = {
    kept,
    hits: 0,
    get(key: string) {
      const found = kept.get(key)
      if (found !== undefined) cache.hits += 1
      return found
    },
    // It is kept as it was put: nobody may alter it.
    put: (key: string, parsed: Parsed) => void kept.set(key, deepFrozen(parsed)),
  }
  return cache
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) for (const member of Object.values(Object.freeze(value))) deepFrozen(member)
  return value
}

const variables = `apiVersion: iac/v1
kind: Project
variables:
  password: { type: string, sensitive: true, default: x }
`
const cluster = manifest('K3sCluster', 'main', '')
const numbers = manifest(
  'Instance',
  'web',
  'type: CUSTOM\ngroup: RYZEN\nregion: fra-1\ncpu: 2\nmemory_bytes: 9007199254740991\nbandwidth: { upload_bytes_sec: 1.0, download_bytes_sec: 0x10 }',
)

function specsOf(texts: Readonly<Record<string, string>>, cache: ParseCache | undefined) {
  const { project, diagnostics } = load(texts, cache ? { parsed: cache } : {})
  return { addresses: project?.resources.map((one) => [one.address, one.position]), diagnostics, hashes: project?.hashes }
}

describe('a warm cache', () => {
  test('gives the same project and the same diagnostics', () => {
    const texts = { 'a.yaml': `${cluster}${numbers}${manifest('Vpc', 'net', 'name: net\ndescription: d\nrange: 10.0.0.0/33')}`, 'b.yaml': `a: 1\n# iac/\n` }
    const cache = memoryCache()
    const without = specsOf(texts, undefined)
    expect(without.diagnostics.length).toBeGreaterThan(0)
    expect(specsOf(texts, cache)).toEqual(without)
    expect(cache.hits).toBe(0)
    expect(specsOf(texts, cache)).toEqual(without)
    // What belongs to another tool is read every time.
    expect(cache.hits).toBe(3)
  })
  test('holds large documents too, and still says where a mistake stands', () => {
    const entries = Array.from(
      { length: 700 },
      (_, at) => `    k${at}: { range: 10.${at >> 8}.${at & 255}.0/24, a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }\n`,
    ).join('')
    const text = `apiVersion: iac/v1\nkind: Vpc\nmetadata:\n  name: net\n  for_each:\n${entries}spec: { name: "\${each.key}", description: d, range: 10.0.0.0/33 }\n`
    const cache = memoryCache()
    const without = specsOf({ 'a.yaml': text }, undefined)
    expect(without.diagnostics[0]?.position?.line).toBe(706)
    expect(specsOf({ 'a.yaml': text }, cache)).toEqual(without)
    expect(specsOf({ 'a.yaml': text }, cache)).toEqual(without)
    expect(cache.hits).toBe(1)
  })
})

describe('what is kept', () => {
  const keptOf = (text: string): string => {
    const cache = memoryCache()
    load({ 'a.yaml': text, 'iac.yaml': variables }, { parsed: cache })
    return JSON.stringify([...cache.kept.values()], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  }
  test.each([
    ['a literal in a secret field', manifest('K3sSecret', 's', 'data: { PASSWORD: hunter2 }')],
    ['a literal in an expression', manifest('K3sSecret', 's', `data: { PASSWORD: "\${vars.password + 'hunter2'}" }`)],
    ['a value of for_each', manifest('K3sSecret', 's', 'data: { PASSWORD: "${each.value}" }', 'for_each: { a: hunter2 }')],
    ['a call of sensitive', manifest('Instance', 's', `type: PLAN\nplan: p\nregion: fra-1\nos_name: "\${sensitive('hunter2')}"`)],
    ['a field that is mistyped', manifest('K3sSecret', 's', 'dat: { PASSWORD: hunter2 }')],
    ['a field beside spec', `${manifest('K3sSecret', 's', 'name: s')}data: { PASSWORD: hunter2 }\n`],
    ['an unknown kind', manifest('K3sSecrets', 's', 'data: { PASSWORD: hunter2 }')],
    ['a document of another tool', 'apiVersion: v1 # iac/\nkind: Secret\ndata: { PASSWORD: hunter2 }\n'],
    ['a private key anywhere', manifest('K3sService', 's', 'environment: { KEY: "-----BEGIN PRIVATE KEY----- hunter2" }')],
  ])('does not hold %s', (_, text) => {
    expect(keptOf(text)).not.toContain('hunter2')
  })
  test('holds a secret field that names a variable', () => {
    expect(keptOf(manifest('K3sSecret', 's', 'data: { PASSWORD: "${vars.password}" }'))).toContain('vars.password')
  })
})
