// The question before an apply: what is changed while it stands is not overwritten by its answer.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { manifest } from '../builders/project.ts'
import { newFolder, runCli, surroundingsFor, testsClock } from './run-cli.ts'

test('an apply that asked leaves alone what was changed meanwhile, and ends with 8', async () => {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
  const server = await serveSandbox({ sandbox })
  const options = { folder: newFolder(), environment: { IAC_BASE_URL: server.url }, token: sandbox.token }
  const write = (description: string): void =>
    writeFileSync(join(options.folder, 'main.yaml'), manifest('Vpc', 'main', `description: ${description}\nrange: 10.20.0.0/24`))
  write('first')
  expect((await runCli(['apply', '--auto-approve'], options)).code).toBe(0)
  write('second')
  const printed = { stdout: '', stderr: '' }
  const surroundings = surroundingsFor(options, printed)
  const { vpcs } = sandbox.world.tables
  const readLine = async (): Promise<string> => {
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    return 'yes'
  }
  const code = await runCommand(['apply'], { ...surroundings, stdin: { ...surroundings.stdin, readLine } })
  expect([code, vpcs.all().map((one) => one.description)]).toEqual([8, ['by hand']])
  expect(printed.stderr).toContain('error: Vpc/main has changed since the plan was shown')
  await server.close()
})
