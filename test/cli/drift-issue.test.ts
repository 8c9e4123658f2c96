// `iac drift --issue`: one issue on each forge, opened by drift, told anew while it lasts, closed when it is over.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ForgeDouble } from '../builders/forge-double.ts'
import { forgeDouble } from '../builders/forge-double.ts'
import { newFolder, patientClock, runCli } from './run-cli.ts'

const manifest = (description: string): string =>
  `{ apiVersion: iac/v1, kind: Vpc, metadata: { name: main }, spec: { name: main-net, description: ${description}, range: 10.0.0.0/24 } }\n`

let forge: ForgeDouble
let [folder, id] = ['', '']
beforeAll(async () => {
  forge = await forgeDouble()
  folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\n')
  writeFileSync(join(folder, 'main.yaml'), manifest('ours'))
  await iac(['apply', '--auto-approve'])
  const [one] = JSON.parse((await iac(['state', 'list', '--json'])).stdout)
  id = one.id
})
afterAll(() => forge.close())
beforeEach(() => forge.clear())

async function iac(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const ran = await runCli([...words, '--sandbox'], { folder, environment, clock: patientClock })
  expect(ran.stdout + ran.stderr).not.toContain('canary')
  return ran
}

const someone = (description: string) => iac(['api', 'PATCH', `/v1/vpcs/${id}`, '-f', `description=${description}`])

describe.each(['github', 'gitlab', 'gitea'] as const)('%s', (name) => {
  const drift = () => {
    // No job of a schedule has a pull request.
    const { GITHUB_REF: _, CI_MERGE_REQUEST_IID: __, ...environment } = forge.places[name]
    return iac(['drift', '--issue', name], environment)
  }

  test('is opened, told anew and closed; what people write stays', async () => {
    await someone('ours')
    expect(await drift()).toMatchObject({ code: 0, stderr: '' })
    expect(forge.issues).toEqual([])

    await someone('theirs')
    const repository = name === 'gitlab' ? '12' : 'acme/shop'
    expect(await drift()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`issue #1 in ${repository} opened\n`),
      stdout: expect.stringContaining('Vpc/main'),
    })
    expect(forge.issues).toMatchObject([{ title: 'Drift in shop', state: 'open', body: expect.stringMatching(/^<!-- iac:comment [^]*Vpc\/main/) }])

    forge.issues = [...forge.issues, ...forge.issues.map((one) => ({ ...one, id: 2, number: 2, iid: 2, body: 'a bug', description: 'a bug' }))]
    await someone('nobody')
    expect((await drift()).stderr).toContain(`issue #1 in ${repository} updated\n`)
    expect(forge.issues).toMatchObject([{ title: 'Drift in shop', state: 'open', body: expect.stringContaining('nobody') }, { body: 'a bug' }])

    await someone('ours')
    expect(await drift()).toMatchObject({ code: 0, stderr: expect.stringContaining(`issue #1 in ${repository} closed\n`) })
    expect(forge.issues.map((one) => one.state)).toEqual(['closed', 'open'])

    // The one that was closed stays closed: what drifts later is told anew.
    await someone('theirs')
    expect((await drift()).stderr).toContain(`issue #3 in ${repository} opened\n`)
  })
})

test('projects of one name in one repository have an issue each', async () => {
  const repository = newFolder()
  mkdirSync(join(repository, '.git'))
  const { GITHUB_REF: _, ...environment } = forge.places.github
  const ran = async (project: string, ...words: readonly string[]) =>
    await runCli([...words, '--sandbox'], { folder: join(repository, project, 'infra'), environment, clock: patientClock })
  for (const project of ['a', 'b']) {
    mkdirSync(join(repository, project, 'infra'), { recursive: true })
    writeFileSync(join(repository, project, 'infra/iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: infra\n')
    writeFileSync(join(repository, project, 'infra/main.yaml'), manifest('ours'))
    await ran(project, 'apply', '--auto-approve')
  }
  const [vpc] = JSON.parse((await ran('a', 'state', 'list', '--json')).stdout)
  await ran('a', 'api', 'PATCH', `/v1/vpcs/${vpc.id}`, '-f', 'description=theirs')
  expect((await ran('a', 'drift', '--issue', 'github')).stderr).toContain('issue #1 in acme/shop opened')
  expect(await ran('b', 'drift', '--issue', 'github')).toMatchObject({ code: 0, stderr: '' })
  expect(forge.issues).toMatchObject([{ title: 'Drift in infra, a/infra', state: 'open' }])
}, 60_000)

test('an issue of a machine whose clock was ahead is closed when the drift is over', async () => {
  const { GITHUB_REF: _, ...environment } = forge.places.github
  await someone('theirs')
  await iac(['drift', '--issue', 'github'], environment)
  const planMs = Date.now() + 3 * 3_600_000
  forge.issues = forge.issues.map((one) => ({ ...one, body: one.body.replace(/plan=\d+/, `plan=${planMs}`) }))
  await someone('ours')
  expect((await iac(['drift', '--issue', 'github'], environment)).stderr).toContain('issue #1 in acme/shop closed')
})

test.each<[readonly string[], Readonly<Record<string, string>>, number, string]>([
  [['drift', '--issue', 'github'], { GITHUB_REPOSITORY: 'acme/shop' }, 4, 'GITHUB_TOKEN is not set'],
  [['drift', '--issue', 'github'], { GITHUB_TOKEN: 'x' }, 3, 'GITHUB_REPOSITORY names no repository'],
  [['drift', '--issue', 'gitlab'], { GITLAB_TOKEN: 'x' }, 3, 'CI_API_V4_URL is not set'],
  [['drift', '--issue', 'bitbucket'], {}, 3, 'github, gitlab'],
])('%j in a job that knows %o ends with %i before anything is read', async (words, environment, code, why) => {
  expect(await iac(words, environment)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(why) })
  expect(forge.seen).toEqual([])
})
