// Two projects or environments whose settings name one state: the second is refused before anything is asked or changed.
import { describe, expect, test } from 'vitest'
import { decodeDocument, encodeDocument } from '../../src/state/document.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { brief, files, project, vpc } from './stage.ts'

const one = vpc('main')
const other = { 'iac.yaml': project().replace('shop', 'store'), 'main.yaml': vpc('other', '10.30.0.0/24') }
const staged = files('environments: { staging: {} }', vpc('other', '10.30.0.0/24'))

/** Every request from now on. */
function requests(world: World): string[] {
  const out: string[] = []
  world.sandbox.faults.hook = ({ operation }) => {
    out.push(`${operation}`)
    return undefined
  }
  return out
}

describe.each([
  ['project', other, undefined],
  ['environment', staged, 'staging'],
] as const)('the state of another %s', (_, texts, environment) => {
  const loading = environment === undefined ? {} : { environment }
  const foreign = { exitCode: 9, diagnostics: [{ code: 'state_foreign' }] }
  test('is refused by whatever works on it, before any request', async () => {
    const world = createWorld()
    const { document } = await world.apply(files('', one))
    const { plan } = await createWorld().plan(texts, {}, loading)
    const sent = requests(world)
    await expect(world.plan(texts, {}, loading)).rejects.toMatchObject(foreign)
    await expect(world.apply(texts, {}, {}, loading)).rejects.toMatchObject(foreign)
    await expect(world.apply(texts, { destroy: true }, {}, loading)).rejects.toMatchObject(foreign)
    await expect(world.applySaved(texts, plan, loading)).rejects.toMatchObject(foreign)
    await expect(world.importObject(texts, 'Vpc/other', '1', loading)).rejects.toMatchObject(foreign)
    await expect(world.refresh(texts, {}, loading)).rejects.toMatchObject(foreign)
    expect([sent, await world.document()]).toEqual([[], document])
  })
})

test('a plan that was saved for an environment is not carried out without it, though there is no state yet to compare', async () => {
  const world = createWorld()
  const { plan } = await world.plan(staged, {}, { environment: 'staging' })
  const sent = requests(world)
  await expect(world.applySaved(staged, plan)).rejects.toMatchObject({ exitCode: 6, diagnostics: [{ hint: 'carry it out with the same flags: -e staging' }] })
  expect(sent).toEqual([])
  expect((await world.applySaved(staged, plan, { environment: 'staging' })).exitCode).toBe(0)
})

test('a state follows its folder, and says whose it is by the next write', async () => {
  const world = createWorld()
  expect((await world.apply(one)).document.project).toBe('project')
  const named = files('', one)
  expect(brief((await world.plan(named)).plan)).toEqual([])
  expect((await world.apply(files('', one.replace('of main', 'of all')))).document.project).toBe('shop')
})

describe('a state with a kind that this iac does not know', () => {
  const unknown = { exitCode: 9, diagnostics: [{ code: 'state_other', summary: expect.stringContaining('kind Balloon') }] }
  const prepared = async () => {
    const world = createWorld()
    const texts = files('', one)
    const { plan } = await world.plan(texts)
    const { document } = await world.apply(texts)
    return { world, texts, plan, document }
  }
  const balloon = (text: string): string => text.replaceAll('Vpc', 'Balloon')
  test('is refused by whatever works on it, before any request', async () => {
    const { world, texts, plan, document } = await prepared()
    const path = '/project/.iac/state.json'
    const state = decodeDocument(balloon(encodeDocument(document)), path, { anyChecksum: true })
    world.fileSystem.put(path, encodeDocument(state))
    const sent = requests(world)
    await expect(world.plan(texts)).rejects.toMatchObject(unknown)
    await expect(world.apply(texts)).rejects.toMatchObject(unknown)
    await expect(world.destroy(texts)).rejects.toMatchObject(unknown)
    await expect(world.applySaved(texts, plan)).rejects.toMatchObject(unknown)
    await expect(world.refresh(texts)).rejects.toMatchObject(unknown)
    expect(sent).toEqual([])
  })
})
