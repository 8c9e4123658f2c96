// Objects in lists: what is taken out of one is a change, what moves is none, and what is sensitive in one is not shown wherever it goes.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, project } from './stage.ts'

const recipe = (command: string, field = '{ id: t, label: T, type: TEXT }') =>
  manifest('Recipe', 'base', `name: base\ncategory: TOOLS\ndescription: of the base\ncommands: [${command}]\nfields: [${field}]`)
const template = (mount: string, variable: string, port: string) =>
  manifest('AppTemplate', 'shop', `name: shop\ndescription: of the shop\nimage: shop:1\nmounts: [${mount}]\nenvironment: [${variable}]\nports: [${port}]`)

describe('what is taken out of an item', () => {
  test.each([
    ['arguments of a command', recipe('{ path: /a.sh, args: ["--wipe-disks"] }'), recipe('{ path: /a.sh }')],
    ['a field that was required', recipe('{ path: /a.sh }', '{ id: t, label: T, type: TEXT, required: true }'), recipe('{ path: /a.sh }')],
    [
      'a mount that was read only',
      template('{ host_path: /srv, container_path: /data, read_only: true }', '{ key: A, value: "1" }', '{ name: web, container_port: 80, protocol: TCP }'),
      template('{ host_path: /srv, container_path: /data }', '{ key: A, value: "1" }', '{ name: web, container_port: 80, protocol: TCP }'),
    ],
    [
      'a word on a variable',
      template('{ host_path: /srv }', '{ key: A, value: "1", description: which }', '{ name: web, container_port: 80, protocol: TCP }'),
      template('{ host_path: /srv }', '{ key: A, value: "1" }', '{ name: web, container_port: 80, protocol: TCP }'),
    ],
    [
      'a port that spoke HTTP',
      template('{ host_path: /srv }', '{ key: A, value: "1" }', '{ name: web, container_port: 80, protocol: TCP, http: true }'),
      template('{ host_path: /srv }', '{ key: A, value: "1" }', '{ name: web, container_port: 80, protocol: TCP }'),
    ],
  ])('is a change: %s', async (_, before, after) => {
    const world = createWorld({ staff: true })
    expect((await world.apply(before)).exitCode).toBe(0)
    expect(brief((await world.plan(before)).plan)).toEqual([])
    const planned = await world.plan(after)
    expect(brief(planned.plan)).toEqual([expect.stringMatching(/^update \S+ \(changed\)/)])
    expect(await world.apply(after)).toMatchObject({ exitCode: 0, outcome: { changed: 1 } })
    expect(brief((await world.plan(after)).plan)).toEqual([])
    const rows = [...world.sandbox.world.tables.recipes.all(), ...world.sandbox.world.tables.appTemplates.all()]
    expect(JSON.stringify(rows.filter(({ name }) => name === 'base' || name === 'shop'))).not.toMatch(/wipe|required":true|read_only":true|which|http":true/)
  })

  test('is an error where nothing can change it', async () => {
    const world = createWorld()
    const app = (mount: string) => all(instance('web'), manifest('App', 'blog', `instance: web\ntemplate_id: { name: nginx }\nname: blog\nmounts: [${mount}]`))
    expect((await world.apply(app('{ host_path: /srv, read_only: true }'))).exitCode).toBe(0)
    const { plan } = await world.plan(app('{ host_path: /srv }'))
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([{ address: 'App/blog' }])
  })

  test('is none where it said what is so without it', async () => {
    const world = createWorld()
    await world.apply(recipe('{ path: /a.sh, args: [] }', '{ id: t, label: T, type: TEXT, required: false, description: "" }'))
    expect(brief((await world.plan(recipe('{ path: /a.sh }'))).plan)).toEqual([])
  })
})

describe('a sensitive value in an item', () => {
  const secret = 'S3cretTokenValue1'
  const texts = (main: string) => ({ 'iac.yaml': project('variables: { token: { type: string, sensitive: true } }\n'), 'main.yaml': main })
  test('one that a list holds in clear as well is made once, and is no difference then', async () => {
    const world = createWorld({ variables: { token: 'same' } })
    const wanted = texts(recipe('{ path: /a.sh, args: ["same", "${vars.token}"] }'))
    const sent = effects(world)
    expect([(await world.apply(wanted)).exitCode, sent]).toEqual([0, ['createWorkspaceRecipe']])
    expect(brief((await world.plan(wanted)).plan)).toEqual([])
  })

  test('is not shown where somebody moves the item, by plan, drift or state', async () => {
    const world = createWorld({ variables: { token: secret } })
    const wanted = texts(recipe('{ path: /a.sh, args: ["--token", "${vars.token}"] }'))
    await world.apply(wanted)
    const { recipes } = world.sandbox.world.tables
    const row = recipes.all().find(({ name }) => name === 'base')
    const commands = [['/new.sh'], ['/a.sh', '--token', secret], [secret, secret]].map(([path = '', ...args]) => ({ path, args }))
    recipes.update(row?.id ?? '', { commands })
    const { plan } = await world.plan(wanted)
    expect(brief(plan)).toEqual([expect.stringMatching(/^update Recipe\/base \(drifted\)/)])
    expect(JSON.stringify(plan)).not.toContain(secret)
    await world.apply(wanted, { refreshOnly: true })
    const files = [...world.fileSystem.files()].map(([, bytes]) => Buffer.from(bytes).toString('utf8'))
    expect(files.filter((text) => text.includes(secret))).toEqual([])
    expect((await world.apply(wanted)).exitCode).toBe(0)
    expect(brief((await world.plan(wanted)).plan)).toEqual([])
  })

  test('is the same in another order where that does not count', async () => {
    const world = createWorld({ variables: { token: `/${secret}` } })
    const volumes = '[{ host_path: /a, container_path: /x }, { host_path: "${vars.token}", container_path: /y }]'
    const service = manifest('K3sService', 'shop', `image: shop:1\nmode: SPREAD\ntarget_instances: [worker]\nenvironment: {}\nvolumes: ${volumes}`)
    const wanted = texts(all(manifest('K3sCluster', 'main', ''), instance('worker'), manifest('K3sNode', 'worker', 'instance: worker'), service))
    expect((await world.apply(wanted)).exitCode).toBe(0)
    const { clusterServices } = world.sandbox.world.tables
    const row = clusterServices.all().find(({ name }) => name === 'shop')
    if (row) clusterServices.update(row.id, { revision: { ...row.revision, volumes: row.revision.volumes.toReversed() } })
    const { plan } = await world.plan(wanted)
    expect(brief(plan)).toEqual([])
    expect(JSON.stringify(plan)).not.toContain(secret)
  })
})
