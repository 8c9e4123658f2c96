// Small manifests that ask for endless work: loading ends with the place, within what a project may cost.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/builders/cpu-time.ts'
import { longForm } from '../../../test/builders/long-form.ts'
import { load, loaded, manifest, resource, scopeOf } from '../../../test/builders/project.ts'
import { projectLimits } from './budget.ts'
import type { Limits } from './budget.ts'

const limits: Limits = {
  leastSteps: 3_000_000,
  stepsOfUnit: 0,
  steps: 3_000_000,
  bytes: 64 * 1024 * 1024,
  stepsOfPart: 2_000_000,
  bytesOfPart: 32 * 1024 * 1024,
}
const cluster = manifest('K3sCluster', 'main', '')
const secret = (value: string, metadata = '') =>
  manifest('K3sSecret', 'x', `name: "x-\${${metadata === '' ? "'x'" : 'each.key'}}"\ndata:\n  A: "\${${value}}"`, metadata) + cluster
const project = (size: number) =>
  `apiVersion: iac/v1\nkind: Project\nname: p\nvariables: {k: {type: list, default: [${Array.from({ length: size }, (_, at) => `k${at}`).join(',')}]}}\n`
const forEach = 'for_each: ${vars.k}'
const ten = '[1,2,3,4,5,6,7,8,9,10]'
const kilobyte = `['${'x'.repeat(1024)}']`

/** What stopped it, and where. */
function stopped(files: Parameters<typeof load>[0], options: Parameters<typeof load>[1] = { limits }) {
  const { project: loadedProject, diagnostics } = load(files, options)
  expect(loadedProject).toBeUndefined()
  const found = diagnostics.find((one) => one.code === 'too_much_work')
  return `${found?.position?.file}:${found?.position?.line}:${found?.position?.column} ${found?.detail}`
}

describe('stops', () => {
  test('a for_each of expressions that take long, in the usual limits of each', () => {
    const value = 'string(vars.k.map(x, vars.k.map(y, x == y)).size())'
    expect(stopped({ 'iac.yaml': project(300), 'a.yaml': secret(value, forEach) })).toMatch(
      /^a\.yaml:10:8 .*all of it together takes more than 3 million steps/,
    )
  })
  test('many expressions in one resource', () => {
    const data = Array.from({ length: 20 }, (_, at) => `  k${at}: "\${string(${ten}.map(a, vars.k.map(b, vars.k.map(c, b == c)).size()).size())}"`)
    const files = { 'iac.yaml': project(150), 'a.yaml': manifest('K3sSecret', 'x', `data:\n${data.join('\n')}`) + cluster }
    expect(stopped(files, {})).toMatch(/^a\.yaml:\d+:9 .*what stands here takes more than 2 million steps/)
  })
  test('long texts for many keys', () => {
    const value = `(${kilobyte}${'.map(a, a + a)'.repeat(10)}.map(a, a + each.key))[0]`
    expect(stopped({ 'iac.yaml': project(1000), 'a.yaml': secret(value, forEach) })).toMatch(
      /^a\.yaml:10:8 .*all values that expressions make take more than 64 MiB/,
    )
  })
  test('long texts in one expression', () => {
    const value = `${kilobyte}${'.map(a, a + a)'.repeat(13)}.map(a, ${ten}.map(b, a + string(b)))[0][0]`
    expect(stopped(secret(value))).toMatch(/^a\.yaml:9:8 .*the values that are made here take more than 32 MiB/)
  })
  test('one long text in many places of a resource', () => {
    const files = {
      'iac.yaml': `apiVersion: iac/v1\nkind: Project\nname: p\nvariables: {t: {type: string, default: "${'x'.repeat(1_000_000)}"}}\n`,
      'a.yaml': manifest('K3sSecret', 'x', `data:\n${Array.from({ length: 100 }, (_, at) => `  k${at}: \${vars.t}\n`).join('')}`) + cluster,
    }
    expect(stopped(files, {})).toMatch(/^a\.yaml:\d+:\d+ .*the texts of one resource are longer than 64 MiB/)
  })
  test('edges from each key to each other one', () => {
    const files = {
      'iac.yaml': project(2000),
      'a.yaml':
        secret("'x'", forEach) +
        manifest('Vpc', 'main', 'name: "net-${each.key}"\ndescription: d\nrange: 10.0.0.0/24', `${forEach}\ndepends_on: ['K3sSecret/*']`),
    }
    expect(stopped(files)).toMatch(/^a\.yaml:/)
  })
  test('texts with thousands of expressions', () => {
    const text = manifest('Instance', 'w', `type: PLAN\nplan: x\nregion: y\nos_name: "${'${1}'.repeat(60_000)}"`)
    expect(stopped(text, {})).toMatch(/^a\.yaml:10:12 .*what stands here takes more than 2 million steps/)
  })
  test('no mistake of thousands is left out', () => {
    const all = Array.from({ length: 12_000 }, (_, at) => `---\napiVersion: iac/v1\nkind: Vpc\nmetadata: {name: "-${at}"}\n`).join('')
    const { diagnostics } = load(all)
    const namedSo = diagnostics.filter((one) => one.code === 'invalid_name')
    expect([namedSo.length, diagnostics.length]).toEqual([12_000, 36_000])
  })
})

describe('a few lines', () => {
  const digits = "['0123456789'.split('')]"
  const keys = `${digits}.map(t,t.map(a,t.map(b,t.map(c,'k'+a+b+c).join(',')).join(',')).join(','))[0].split(',')`
  const few = (value: string, metadata: string) =>
    `apiVersion: iac/v1\nkind: Vpc\nmetadata:\n  name: m\n  ${metadata}\nspec: {name: abcd, range: 10.0.0.0/24, description: "\${string(${value})}"}\n`
  test.each([
    ['compute for each of a thousand keys', `${digits}.map(t,t.map(a,t.map(b,t.map(c,t.map(d,t.map(e,1)))))).size()`],
    ['match patterns for each of a thousand keys', `${digits}.map(t,t.map(a,t.map(b,'a'.matches('(((a{9}){9}){9}){9}')))).size()`],
  ])('that %s are stopped', (_, value) => {
    const text = few(value, `for_each: "\${${keys}}"`)
    expect(text.length).toBeLessThan(340)
    // A tenth of what a project has, which its length hardly raises.
    const tenth = { ...projectLimits, leastSteps: projectLimits.leastSteps / 10, stepsOfUnit: projectLimits.stepsOfUnit / 10 }
    expect(stopped(text, { limits: tenth })).toMatch(/^a\.yaml:6:\d+ .*all of it together takes more than 2(\.\d+)? million steps/)
  })
  test('have room for 100,000 resources, in the short form for a tenth of them within a tenth of the limits', { timeout: 120_000, tags: ['longer'] }, () => {
    const [documents, share] = longForm([10, 1], [1, 0.1])
    const thousands = keys.replace("'k'+a+b+c", "t.map(d,'k'+a+b+c+d).join(',')")
    const text = Array.from({ length: documents }, (_, at) =>
      few("'x'", `for_each: "\${${thousands}}"`).replace('name: m', `name: m${at}`).replace('abcd', '"${each.key}-${each.value}"'),
    ).join('---\n')
    const { leastSteps, steps, bytes } = projectLimits
    const limitsOfShare = { ...projectLimits, leastSteps: leastSteps * share, steps: steps * share, bytes: bytes * share }
    const { project: loadedProject, diagnostics } = load(text, { limits: limitsOfShare })
    expect(diagnostics).toEqual([])
    expect(loadedProject?.resources).toHaveLength(10_000 * documents)
  })
})

describe('an expression', () => {
  test.each([
    ['compiles patterns', `string(${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, 'a'.matches('((((a{9}){9}){9}){9})') || true)))))`],
    ['makes good one error after another', `string(vars.k.all(a, vars.k.all(b, vars.k.all(c, 1 / 0 == 1 || true))))`],
    [
      'searches for what nearly occurs',
      `string(${kilobyte}${'.map(a, a + a)'.repeat(9)}.all(t, vars.k.all(k, !t.contains(t.substring(0, 200000) + k + t.substring(0, 200000)))))`,
    ],
  ])('that %s ends soon', (_, value) => {
    const { result, spentMs } = cpuTime(() => load({ 'iac.yaml': project(100), 'a.yaml': secret(value) }))
    expect(result.diagnostics.map((one) => one.summary)).toContain('the expression takes too many steps')
    expect(spentMs).toBeLessThan(4000)
  })
})

test('after loading, too much work is a mistake of one resource', () => {
  const text =
    manifest('Vpc', 'main', 'name: main-net\ndescription: d\nrange: 10.0.0.0/24') +
    manifest(
      'Vpc',
      'other',
      "name: other-net\ndescription: \"${string([Vpc['main'].id].map(t, t.split('').map(a, t.split('').map(b, a == b))).size())}\"\nrange: 10.1.0.0/24",
    )
  const other = resource(loaded(text, { limits: { ...limits, stepsOfPart: 50_000 } }), 'Vpc/other')
  const { problems } = other.resolve(scopeOf({ 'Vpc/main.id': 'x'.repeat(400) }))
  expect(problems).toMatchObject([{ code: 'too_much_work', address: 'Vpc/other', position: { file: 'a.yaml', line: 17 } }])
})

test('the limits leave room for what people write', () => {
  const script = '#!/bin/sh\n'.repeat(700)
  const files = { 'init.sh': script, 'iac.yaml': project(2000), 'a.yaml': secret("file('init.sh').replace('/', each.key).replace('#', 'x')", forEach) }
  expect(
    load(files, { limits: { leastSteps: 5_000_000, stepsOfUnit: 0, steps: 5_000_000, bytes: 40 * 1024 * 1024, stepsOfPart: 20_000, bytesOfPart: 1024 * 1024 } })
      .diagnostics,
  ).toEqual([])
})
