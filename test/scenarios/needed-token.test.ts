// The smallest token that carries a plan out: with its grants the plan is made and applied, with any of them less it is not.
import { describe, expect, test } from 'vitest'
import { leastGrants, neededCalls } from '../../src/engine/plan/calls-needed.ts'
import { manifest } from '../builders/project.ts'
import { createWorld, worldCallingAs } from '../builders/world.ts'
import { all, instance, project, vpc } from './stage.ts'

const bare = { 'iac.yaml': project(), 'main.yaml': '' }
const wanted = {
  'iac.yaml': project(),
  'main.yaml': all(
    vpc('main', '10.20.0.0/24'),
    manifest('Disk', 'data', 'size: 20GiB\nbackend: LOCAL\nregion: fra-1\ninstance: web'),
    instance('web', 'vpcs: [main]'),
  ),
}

async function grantsOf() {
  const world = createWorld()
  const prepared = await world.plan(wanted)
  return leastGrants(neededCalls(prepared.planned, prepared.asked))
}

/** The exit code of an apply whose calls come with a token of these grants. */
async function applyWith(grants: Readonly<Record<string, string>>): Promise<number> {
  const { world, calling } = worldCallingAs()
  const beside = world.beside()
  const text = Object.entries(grants)
    .map(([key, level]) => `${key}: ${level}`)
    .join(', ')
  await beside.apply({
    ...bare,
    'main.yaml': manifest('ApiToken', 'ci', `name: ci-token\ngrants: { ${text} }\nlifetime: 90d\nwrite_code_to: { file: ci.token }`),
  })
  calling.code = beside.delivered.get('ci.token')
  expect(calling.code).toBeDefined()
  try {
    return (await world.apply(wanted)).exitCode
  } catch {
    return 4
  }
}

describe('a token with the least grants', () => {
  test('carries the plan out, and with any of them less it does not', async () => {
    const grants = await grantsOf()
    expect(Object.keys(grants).length).toBeGreaterThan(1)
    expect(await applyWith(grants)).toBe(0)
    for (const [key, level] of Object.entries(grants)) {
      const less = level === 'WRITE' ? { ...grants, [key]: 'READ' } : { ...grants, [key]: 'NONE' }
      expect([key, await applyWith(less)]).not.toEqual([key, 0])
    }
  })
})
