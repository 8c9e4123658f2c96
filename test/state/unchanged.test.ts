// Plans that are told again beside a state that machines share: as long as it is the same there.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keptRuns, markKept, TOLD } from '../builders/kept-runs.ts'
import { manifest } from '../builders/project.ts'
import { sharedPlaces } from '../builders/state-places.ts'
import { operatingBench } from '../cli/operating-bench.ts'

const vpc = (name: string): string => manifest('Vpc', name, 'name: main\ndescription: net\nrange: 10.0.0.0/24')

test.each(sharedPlaces)('a plan without changes beside %s is told again until another run has written', { timeout: 120_000 }, async (_, { open }) => {
  const place = await open()
  try {
    const { folder, run, sandbox } = await operatingBench('')
    writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nstate: ${place.settings('shop')}\n`)
    writeFileSync(join(folder, 'main.yaml'), vpc('main'))
    const options = { build: 'one', environment: place.environment }
    expect(await run(['apply', '--auto-approve'], options)).toMatchObject({ code: 0 })
    const plain = await run(['plan'], options)
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') })
    const home = join(folder, 'home')
    expect(keptRuns(home)).toHaveLength(1)
    markKept(home, sandbox.token)
    expect(await run(['plan'], options)).toEqual({ code: 0, stdout: TOLD, stderr: '' })
    expect(await run(['state', 'mv', 'Vpc/main', 'Vpc/other'], options)).toMatchObject({ code: 0 })
    const changed = await run(['plan'], options)
    expect(changed.stdout).not.toContain(TOLD)
    expect(changed).toEqual(await run(['plan'], { ...options, environment: { ...place.environment, IAC_PLAN_CACHE: 'off' } }))
    writeFileSync(join(folder, 'main.yaml'), vpc('other'))
    expect(await run(['plan', '--detailed-exitcode'], options)).toMatchObject({ code: 0 })
    markKept(home, sandbox.token)
    expect(await run(['plan', '--detailed-exitcode'], options)).toEqual({ code: 0, stdout: TOLD, stderr: '' })
  } finally {
    await place.close()
  }
})
