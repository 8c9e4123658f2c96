// What a saved plan costs is asked again when it is carried out: a budget and a policy believe no figure in a file.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { isObject, parseJson, stringifyJson } from '../../src/base/json.ts'
import { manifest } from '../builders/project.ts'
import { rehashed } from '../builders/rehashed.ts'
import { all, vpc } from '../scenarios/stage.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli } from './run-cli.ts'

const head = 'apiVersion: iac/v1\nkind: Project\nname: shop\n'
const web = manifest('Instance', 'web', 'type: PLAN\nplan: lightning-2\nregion: fra-1')
const more = manifest('Instance', 'more', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')
const budget = (most: number) => `guards: { max_monthly_increase: ${most} }\n`
const policy = (most: number) => `policies: [{ name: cheap, assert: "plan.cost == null || int(plan.cost.monthly_after) <= ${most}" }]\n`

/** A project with one instance applied, and a saved plan that makes another one and drops a network. */
async function planned() {
  const folder = newFolder()
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder })
  write('iac.yaml', head)
  write('main.yaml', all(web, vpc('old')))
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  write('main.yaml', all(web, more))
  expect((await run('plan', '--out', 'a.plan')).code).toBe(0)
  const plan = parseJson(readFileSync(join(folder, 'a.plan'), 'utf8'))
  if (!isObject(plan) || !isObject(plan['cost'] ?? null)) throw new Error('no plan with a price')
  const cost: Readonly<Record<string, string>> = JSON.parse(stringifyJson(plan['cost'] ?? null))
  const forge = (change: JsonObject): void => write('a.plan', stringifyJson(rehashed({ ...plan, ...change })))
  return { write, run, forge, cost, added: (Number(cost['monthly_after']) - Number(cost['monthly_before'])) / 1_000_000 }
}

describe.each([
  ['as it was made', (): JsonObject => ({})],
  ['whose file tells no price', () => ({ cost: null })],
  [
    'whose file tells the price before for that after',
    (cost: Readonly<Record<string, string>>) => ({ cost: { ...cost, monthly_after: cost['monthly_before'] ?? '' } }),
  ],
] as const)('a saved plan %s', (_, change) => {
  test('is refused by the budget and by a policy, and carried out where it costs just as much as they allow', async () => {
    const { write, run, forge, cost, added } = await planned()
    const after = Number(cost['monthly_after'])
    expect(added).toBeGreaterThan(0)
    forge(change(cost))
    write('iac.yaml', `${head}${budget(added - 0.01)}`)
    expect(await run('apply', 'a.plan')).toMatchObject({ code: 5, stderr: expect.stringContaining('guards.max_monthly_increase allows') })
    write('iac.yaml', `${head}${policy(after - 1)}`)
    expect(await run('apply', 'a.plan')).toMatchObject({ code: 5, stderr: expect.stringContaining('breaks the policy cheap') })
    write('iac.yaml', `${head}${budget(added)}${policy(after)}`)
    const done = await run('apply', 'a.plan')
    expect(done.code, done.stderr).toBe(0)
  })
})

test('a price list that is refused comes before an object that has changed, where a budget or policy asks for it', async () => {
  const bench = await operatingBench(vpc('main'))
  const configure = (guards: string): void => writeFileSync(join(bench.folder, 'iac.yaml'), `${head}${guards}`)
  writeFileSync(join(bench.folder, 'main.yaml'), all(vpc('main').replace('description: ', 'description: another '), more))
  configure(budget(1000))
  expect((await bench.run(['plan', '--out', 'a.plan'])).code).toBe(0)
  const { vpcs } = bench.sandbox.world.tables
  vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
  bench.sandbox.faults.hook = ({ operation }) => (operation === 'listPlans' ? { status: 403 } : undefined)
  expect(await bench.run(['apply', 'a.plan'])).toMatchObject({ code: 4, stderr: expect.stringContaining('/v1/plans') })
  configure('')
  expect(await bench.run(['apply', 'a.plan'])).toMatchObject({ code: 6, stderr: expect.stringContaining('Vpc/main has changed since') })
})
