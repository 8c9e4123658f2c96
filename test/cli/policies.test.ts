// Policies by the command line: what they stop and let pass, where they come from, what is told, and what an override leaves behind.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const vpc = (name: string, description: string, more = '') =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name}${more} }\nspec: { description: ${description}, range: 10.${name.length}.0.0/24 }\n`
const head = 'apiVersion: iac/v1\nkind: Project\nname: shop\nmanifests: [infra/*.yaml]\n'

function project(iac: string, files: Readonly<Record<string, string>> = { 'infra/main.yaml': vpc('main', 'net') }) {
  const folder = newFolder()
  for (const name of ['infra', 'policies']) mkdirSync(join(folder, name), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries({ 'iac.yaml': `${head}${iac}`, ...files })) write(name, text)
  const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) => runCli([...words, '--sandbox'], { folder, environment })
  return { folder, write, run }
}

const stays = `policies:
  - name: networks-stay
    each: change
    when: "it.kind == 'Vpc'"
    assert: "it.action != 'delete'"
    message: "\${it.address} would be deleted in \${environment == null ? 'no environment' : environment}"
`

test('a broken policy ends plan and apply with 5, with the whole plan, its name, the address and its message', async () => {
  const { write, run } = project(stays)
  expect((await run(['apply', '--auto-approve'])).code).toBe(0)
  write('infra/main.yaml', vpc('other', 'net'))
  for (const words of [
    ['plan', '--detailed-exitcode', '--out', 'a.plan'],
    ['apply', '--auto-approve'],
    ['destroy', '--auto-approve'],
  ]) {
    const done = await run(words)
    expect(done.code, done.stderr).toBe(5)
    expect(done.stdout).toContain('to destroy')
    expect(done.stderr).toContain('Vpc/main: breaks the policy networks-stay: Vpc/main would be deleted in no environment')
    expect(done.stderr).toContain('iac.yaml:6')
  }
  expect((await run(['show', 'a.plan'])).code).toBe(3)
})

test('a warning of a policy is told once by a run that is refused', async () => {
  const { run } = project(`${stays}    level: warn\nguards: { max_destroy: 0 }\n`)
  expect((await run(['apply', '--auto-approve'])).code).toBe(0)
  const { code, stderr } = await run(['destroy', '--auto-approve'])
  expect([code, stderr.match(/breaks the policy networks-stay/g)]).toEqual([5, ['breaks the policy networks-stay']])
})

test('the machine format of a plan has all that policies and guards say, and is a plan that can be shown', async () => {
  const deny = `policies: [{ name: described, each: resource, assert: "it.spec.description != 'x'", message: "\${it.address} says x", level: warn }]\nguards: { max_destroy: 0 }\n`
  const many = Array.from({ length: 25 }, (_, at) => vpc(`net-${at}`, 'x').replace(/10\.\d+/, `10.${at}`)).join('---\n')
  const { write, run } = project(deny, { 'infra/main.yaml': many })
  const planned = await run(['plan', '--json'])
  const document: { readonly diagnostics: { readonly summary: string }[] } = JSON.parse(planned.stdout)
  expect(document.diagnostics.filter(({ summary }) => summary.endsWith(' says x'))).toHaveLength(25)
  write('today.plan', planned.stdout)
  const shown = JSON.parse((await run(['show', 'today.plan', '--json'])).stdout)
  expect(shown).toEqual(document)
  expect((await run(['apply', '--auto-approve'])).code).toBe(0)
  const destroys = await run(['plan', '--destroy', '--json', '--json-into', 'gone.json'])
  expect(destroys.code).toBe(5)
  expect(JSON.parse(destroys.stdout).diagnostics).toContainEqual(expect.objectContaining({ code: 'guard_budget' }))
})

test('an override with a reason lets it pass, and stands in the history with who it was', async () => {
  const { write, run } = project(stays)
  await run(['apply', '--auto-approve'])
  write('infra/main.yaml', vpc('other', 'net'))
  for (const words of [
    ['--override', 'networks-stay'],
    ['--override', 'another', '--reason', 'x'],
    ['--reason', 'x'],
    ['--override', 'networks-stay', '--reason', ' '],
  ])
    expect((await run(['apply', '--auto-approve', ...words])).code).toBe(3)
  const saved = await run(['plan', '--out', 'today.plan', '--override', 'networks-stay', '--reason', 'moved by hand'])
  expect(saved).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("by the apply: iac apply --sandbox today.plan --override networks-stay --reason 'moved by hand'\n"),
  })
  expect((await run(['apply', 'today.plan'])).code).toBe(5)
  const done = await run(['apply', '--auto-approve', '--override', 'networks-stay', '--reason', 'moved by hand'])
  expect(done.code, done.stderr).toBe(0)
  expect(done.stderr).toContain('(overridden: moved by hand)')
  const history = JSON.parse((await run(['state', 'history', '--json'])).stdout)
  expect(history.map((one: { readonly command: string }) => one.command).join('\n')).toMatch(/apply \(\S+@\S+ overrides networks-stay: moved by hand\)/)
})

test('in a pipeline an override names whose run it is, and its page', async () => {
  const { write, run } = project(stays)
  await run(['apply', '--auto-approve'])
  write('infra/main.yaml', vpc('other', 'net'))
  const environment = { GITHUB_ACTOR: 'ada', GITHUB_SERVER_URL: 'https://forge.test', GITHUB_REPOSITORY: 'shop/infra', GITHUB_RUN_ID: '5' }
  const done = await run(['apply', '--auto-approve', '--override', 'networks-stay', '--reason', 'moved'], environment)
  expect(done.code, done.stderr).toBe(0)
  const [last] = JSON.parse((await run(['state', 'history', '--json'])).stdout)
  expect(last.command).toBe('apply (ada, https://forge.test/shop/infra/actions/runs/5 overrides networks-stay: moved)')
})

test('a saved plan is held against the policies of the time when it is applied', async () => {
  const { folder, write, run } = project('')
  await run(['apply', '--auto-approve'])
  write('infra/main.yaml', vpc('other', 'net'))
  expect((await run(['plan', '--out', 'a.plan'])).code).toBe(0)
  write('policies/late.yaml', stays)
  const refused = await run(['apply', 'a.plan', '--policy', join(folder, 'policies/late.yaml')])
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('networks-stay')])
  expect((await run(['apply', 'a.plan'], { IAC_POLICIES: join(folder, 'policies/late.yaml') })).code).toBe(5)
  expect((await run(['apply', 'a.plan'])).code).toBe(0)
})

test('a warning does not stop anything', async () => {
  const { write, run } = project(`${stays}    level: warn\n`)
  await run(['apply', '--auto-approve'])
  write('infra/main.yaml', vpc('other', 'net'))
  const done = await run(['apply', '--auto-approve'])
  expect([done.code, done.stderr]).toEqual([0, expect.stringMatching(/^warning: Vpc\/main: breaks the policy networks-stay/m)])
})

test('a policy that reads a file or looks something up is refused by validate, with the sentence of a plan', async () => {
  for (const assert of ["it.spec.description == file('net.txt')", "lookup('Plan', 'x').id != ''"]) {
    const { write, run } = project(`policies: [{ name: described, each: resource, assert: "${assert}", message: no }]\n`)
    write('net.txt', 'net')
    for (const words of [['validate'], ['plan']])
      expect(await run(words)).toMatchObject({ code: 3, stderr: expect.stringContaining('error: a policy reads the plan, and nothing else\n') })
  }
})

test('resources as desired are judged by validate already, and the plan as a whole is not', async () => {
  const { run } = project(
    `policies:
  - { file: policies/names.yaml }
  - { name: small, assert: "plan.summary.create < 1", message: "too much at once" }
`,
    {
      'infra/main.yaml': vpc('main', 'net'),
      'policies/names.yaml':
        'policies:\n  - { name: described, each: resource, assert: "it.spec.description.size() > 5", message: "${it.address}: say more than ${it.spec.description}" }\n',
    },
  )
  const found = await run(['validate', '--json'])
  expect(found.code).toBe(5)
  expect(JSON.parse(found.stdout)).toMatchObject({
    valid: false,
    diagnostics: [
      {
        code: 'guard_policy',
        address: 'Vpc/main',
        range: { filename: 'policies/names.yaml', start: { line: 2 } },
        summary: expect.stringContaining('say more than net'),
      },
    ],
  })
  const planned = await run(['plan'])
  expect(planned.code).toBe(5)
  for (const text of ['breaks the policy described', 'breaks the policy small: too much at once']) expect(planned.stderr).toContain(text)
})

describe('what is not known yet', () => {
  const instances = (rest: string) => `apiVersion: iac/v1
kind: Instance
metadata: { name: web }
spec: { type: PLAN, name: web, plan: ryzen-4, region: fra-1, os_name: "\${string(Vpc['main'].vlan)}" }
---
${vpc('main', rest)}`
  const policy = (limit: string) =>
    `policies:\n  - { name: os, each: resource, when: "it.kind == 'Instance'", assert: "it.spec.os_name ${limit}", message: "os \${it.spec.os_name}" }\n`
  test('is a warning in the plan, and stops the operation on the way', async () => {
    const { run } = project(policy("== 'nothing'"), { 'infra/main.yaml': instances('net') })
    const planned = await run(['plan'])
    expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining('Instance/web: policy os cannot be judged before apply')])
    const done = await run(['apply', '--auto-approve'])
    expect(done.code, done.stderr).toBe(8)
    expect(done.stderr).toContain('Instance/web: breaks the policy os')
    expect(JSON.parse((await run(['state', 'list', '--json'])).stdout)).toEqual([expect.objectContaining({ address: 'Vpc/main' })])
  })
  test.each([[['apply', '--auto-approve']], [['apply', 'a.plan']]])('and so does one that reads the plan beside it: %j', async (words) => {
    const { run } = project(policy("== 'nothing' || plan.summary.create != 2"), { 'infra/main.yaml': instances('net') })
    expect((await run(['plan', '--out', 'a.plan'])).code).toBe(0)
    const done = await run(words)
    expect([done.code, done.stderr]).toEqual([8, expect.stringContaining('Instance/web: breaks the policy os')])
  })
  test.each([
    ['of the plan as a whole', '', 'policy os cannot'],
    ['of a resource that reads another', 'each: change, when: "it.address == \'Vpc/main\'", ', 'Vpc/main: policy os cannot'],
  ])('and so does one %s, once what it waits for is known', async (_, subject, warned) => {
    const assert = "plan.changes.all(one, one.kind != 'Instance' || one.after.os_name == 'nothing')"
    const { run } = project(`policies: [{ name: os, ${subject}assert: "${assert}", message: "a bad os" }]\n`, { 'infra/main.yaml': instances('net') })
    const planned = await run(['plan'])
    expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining(warned)])
    const done = await run(['apply', '--auto-approve'])
    expect([done.code, done.stderr]).toEqual([8, expect.stringContaining('breaks the policy os: a bad os')])
    expect(JSON.parse((await run(['state', 'list', '--json'])).stdout)).toEqual([expect.objectContaining({ address: 'Vpc/main' })])
    const overridden = await run(['apply', '--auto-approve', '--override', 'os', '--reason', 'known'])
    expect(overridden.code, overridden.stderr).toBe(0)
  })
  test('and lets it go on where it holds', async () => {
    const { run } = project(policy("!= 'nothing'"), { 'infra/main.yaml': instances('net') })
    const done = await run(['apply', '--auto-approve'])
    expect(done.code, done.stderr).toBe(0)
  })
})

describe('a mistake in a policy', () => {
  test.each<[string, string, string]>([
    ['an unknown name', '{ name: a, assert: "itt.kind == \'Vpc\'" }', "no name 'itt' is in scope"],
    ['it without each', '{ name: a, assert: "it.kind == \'Vpc\'" }', "no name 'it' is in scope"],
    ['a resource', "{ name: a, assert: \"Vpc['main'].id == '1'\" }", 'a policy reads the plan, and nothing else'],
    ['a sensitive variable', '{ name: a, assert: "vars.key == \'x\'" }', 'vars.key is sensitive'],
    ['no name', '{ assert: "true" }', 'a policy needs a name'],
    ['a name of no such form', '{ name: A, assert: "true" }', 'a policy is called by'],
    ['nothing to hold', '{ name: a }', 'a policy needs assert'],
    ['braces', '{ name: a, assert: "${true}" }', 'without ${…}'],
    ['an unknown member', '{ name: a, assert: "true", wen: "true" }', 'wen'],
    ['a name twice', '{ name: a, assert: "true" }\n  - { name: a, assert: "true" }', 'two policies are called a'],
    ['a name twice, beside another mistake', '{ name: a, assert: "itt" }\n  - { name: a, assert: "true", wen: "true" }', 'two policies are called a'],
    ['a name twice, beside a mistake elsewhere', '{ name: a, assert: "true" }\n  - { name: a, assert: "true" }\nguard: 1', 'two policies are called a'],
    ['a file that is not there', '{ file: policies/none.yaml }', 'policies/none.yaml'],
    ['a file outside', '{ file: ../other.yaml }', '../other.yaml: it lies outside of the project'],
    ['a file outside, by its whole path', '{ file: /etc/passwd }', '/etc/passwd: it lies outside of the project'],
    ['a file that nobody has', '{ file: /none/of/it.yaml }', '/none/of/it.yaml: it lies outside of the project'],
    ['an expression for a file', '{ file: "${vars.key}.yaml" }', 'expressions are not evaluated here'],
  ])('is found when the project is loaded: %s', async (_, policy, text) => {
    const { run } = project(`variables: { key: { type: string, default: x, sensitive: true } }\npolicies:\n  - ${policy}\n`)
    const done = await run(['validate'])
    expect(done.stderr).toContain(text)
    expect(done.code).toBe(3)
  })
  test('takes a file by a path within the project, and says once what is wrong with one that is an expression', async () => {
    const { folder, write, run } = project('policies:\n  - { file: "${vars.key}.yaml" }\n')
    const wrong = await run(['validate'])
    expect([wrong.code, wrong.stderr.match(/^error: .*$/gm)]).toEqual([3, [expect.stringContaining('for policies.file')]])
    expect(wrong.stderr).toMatch(/iac\.yaml:\d+:\d+\n[^]*hint: expressions stand in manifests/)
    write('policies/own.yaml', 'policies: []\n')
    write('iac.yaml', `${head}policies:\n  - { file: ${folder}/policies/own.yaml }\n`)
    expect((await run(['validate'])).stderr).toContain('own.yaml: a path is relative to the project folder\n')
    write('iac.yaml', `${head}policies:\n  - { file: ./policies/../policies/own.yaml }\n`)
    expect((await run(['validate'])).code).toBe(0)
  })
  test.each<[string, string, string]>([
    ['no bool', 'it.action', 'is a bool'],
    ['a member that is not there', 'it.nothing == 1', 'nothing'],
  ])('that shows when it is judged refuses the plan: %s', async (_, assert, text) => {
    const { run } = project(`policies:\n  - { name: a, each: change, assert: "${assert}" }\n`)
    const done = await run(['plan'])
    expect([done.code, done.stderr]).toEqual([5, expect.stringContaining('the policy a cannot be judged')])
    expect(done.stderr).toContain(text)
  })
  test('what depends on a sensitive value is not judged, and nothing of it is told', async () => {
    const secret =
      'apiVersion: iac/v1\nkind: K3sCluster\nmetadata: { name: main }\nspec: {}\n---\napiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: app }\nspec: { name: app, data: { KEY: "${vars.key}" } }\n'
    const { run } = project(
      'variables: { key: { type: string, sensitive: true } }\npolicies:\n  - { name: a, each: change, when: "it.kind == \'K3sSecret\'", assert: "it.after.data.KEY != \'other\'", message: "${it.after.data.KEY}" }\n',
      { 'infra/main.yaml': secret },
    )
    const done = await run(['plan'], { IAC_VAR_key: 'canary-1' })
    expect([done.code, done.stderr]).toEqual([5, expect.stringContaining('depends on a sensitive value')])
    expect(done.stdout + done.stderr).not.toContain('canary-1')
  })
})

test('max_monthly_increase refuses a plan that costs more', async () => {
  const instance = 'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, name: web, plan: ryzen-4, region: fra-1 }\n'
  const { write, run } = project('guards: { max_monthly_increase: 0.5 }\n', { 'infra/main.yaml': instance })
  const done = await run(['plan'])
  expect([done.code, done.stderr]).toEqual([5, expect.stringMatching(/error: the plan adds [\d.]+ USD a month, and guards.max_monthly_increase allows 0.5/)])
  write('iac.yaml', `${head}guards: { max_monthly_increase: 100000 }\n`)
  expect((await run(['plan'])).code).toBe(0)
})
