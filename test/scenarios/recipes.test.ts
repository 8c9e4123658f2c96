// Recipes of a workspace beside those of the platform, which every workspace sees and administrators keep.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { brief, effects, files, said } from './stage.ts'

const recipe = (name: string, metadata = '', more = ''): string =>
  manifest('Recipe', 'base', `name: ${name}\ncategory: TOOLS\ndescription: does it\ncommands: [{ path: /opt/base.sh }]\n${more}`, metadata)
const rowOf = ({ sandbox }: World, name: string) => sandbox.world.tables.recipes.all().find((one) => one.name === name)

describe('a recipe of a workspace', () => {
  test('is made beside one of the platform with its name, and that is not taken for its double', async () => {
    const world = createWorld()
    const { plan } = await world.plan(recipe('docker'))
    expect([...brief(plan), ...said(plan)]).toEqual(['create Recipe/base (new): create'])
    await world.apply(recipe('docker'))
    const again = await world.plan(recipe('docker'))
    expect([...brief(again.plan), ...said(again.plan)]).toEqual([])
    const { recipes } = world.sandbox.world.tables
    expect(
      recipes
        .all()
        .filter((one) => one.name === 'docker')
        .map((one) => one.ownerId),
    ).toEqual([null, world.sandbox.workspaceId])
    expect((await world.apply(recipe('docker-2'))).outcome).toMatchObject({ changed: 1 })
    expect(
      recipes
        .all()
        .filter((one) => one.name === 'docker')
        .map((one) => one.ownerId),
    ).toEqual([null])
  })
  test('is made once though its answer was lost and the platform has one like it', async () => {
    const world = createWorld()
    world.sandbox.faults.list.push({ operation: 'createWorkspaceRecipe', reset: 'after' })
    const done = await world.apply(recipe('docker'))
    expect(done.exitCode).toBe(0)
    expect(done.document.resources).toMatchObject([{ outputs: { owner: world.sandbox.workspaceId } }])
    expect(world.sandbox.world.tables.recipes.all().filter((one) => one.name === 'docker')).toHaveLength(2)
  })
  test('cannot be one of the platform that is imported', async () => {
    const world = createWorld()
    const { plan } = await world.plan(recipe('docker', `import: { id: "${rowOf(world, 'docker')?.id}" }`))
    expect(said(plan)).toContain(`import_conflict Recipe/base: the Recipe with id ${rowOf(world, 'docker')?.id} belongs to the platform`)
  })
  test('is planned by what the state says of it, too', async () => {
    const world = createWorld()
    await world.apply(recipe('mine'))
    const { plan } = await world.plan(recipe('mine-2'), { unread: true })
    expect(brief(plan)).toEqual(['update Recipe/base (changed): update'])
    expect(plan.diagnostics.filter((one) => one.severity === 'error')).toEqual([])
  })
  test('loses its picture and what it asks for', async () => {
    const world = createWorld()
    await world.apply(recipe('mine', '', 'icon: https://example.com/a.png\nfields: [{ id: a, label: A, type: TEXT }]'))
    expect(rowOf(world, 'mine')).toMatchObject({ icon: 'https://example.com/a.png', fields: [{ id: 'a', required: false }] })
    await world.apply(recipe('mine'))
    expect(rowOf(world, 'mine')).toMatchObject({ icon: null, fields: [] })
  })
  test('runs scripts by absolute paths', () => {
    expect(() => createWorld().load(recipe('mine', '', 'fields: []').replace('/opt', 'opt'))).toThrow('"opt/base.sh" is no absolute path')
  })
})

describe('a recipe of the platform', () => {
  const nowhere = 'workspace: null'

  test('is made, changed and deleted by an operator, in no workspace', async () => {
    const world = createWorld({ staff: true })
    const sent = effects(world, (body) => body['name'])
    const done = await world.apply(recipe('mail', nowhere))
    expect(done.document.resources).toMatchObject([{ workspace_id: null, outputs: { owner: null } }])
    expect((await world.plan(recipe('mail', nowhere))).plan.changes).toMatchObject([{ action: 'no-op', workspace_id: null, workspace_address: null }])
    await world.apply(recipe('relay', nowhere))
    expect((await world.destroy(recipe('relay', nowhere))).outcome).toMatchObject({ destroyed: 1 })
    expect(sent).toEqual(['createRecipe mail', 'updateRecipe relay', 'deleteRecipe'])
  })
  test('is not moved into a workspace', async () => {
    const world = createWorld({ staff: true })
    await world.apply(recipe('mail', nowhere))
    const { plan } = await world.plan(recipe('mail'))
    expect(said(plan)).toEqual([expect.stringContaining('Recipe/base: its object is in no workspace')])
  })
  test('is found by its name from any workspace, as are templates of apps and base domains', async () => {
    const world = createWorld()
    const outputs = `outputs:
  recipe: { value: "\${lookup('Recipe', 'docker').id}" }
  template: { value: "\${lookup('AppTemplate', 'nginx').image}" }
  domain: { value: "\${lookup('AppDomain', 'apps.sandbox.test').proxy_mode}" }
  metal: { value: "\${lookup('Dedibox', 'metal-2').region}" }
`
    const done = await world.apply(files(outputs, manifest('Vpc', 'main', 'description: a\nrange: 10.0.0.0/24')))
    expect(done.exitCode).toBe(0)
    expect(done.document.outputs).toMatchObject({
      recipe: { value: rowOf(world, 'docker')?.id },
      template: { value: 'nginx:1.29' },
      domain: { value: 'proxied' },
      metal: { value: 'ams-1' },
    })
  })
})
