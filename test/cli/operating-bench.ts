// A project over a service on loopback, applied once, for commands that operate what runs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { newFolder, runCli, surroundingsFor, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

type Options = Omit<Parameters<typeof runCli>[1], 'folder'>

export interface OperatingBench {
  readonly folder: string
  readonly sandbox: Sandbox
  /** Where it listens. */
  readonly url: string
  run(words: readonly string[], options?: Partial<Options>): Promise<Ran>
  /** Runs, with ^C as soon as the service has been sent this operation; what was printed until it ended. */
  stopping(words: readonly string[], operation: string, options?: Partial<Options>): Promise<Ran>
  /** Runs, with ^C as soon as standard output holds a text, or all of several. */
  until(words: readonly string[], text: string | readonly string[], options?: Partial<Options>): Promise<Ran>
}

/** Applies these manifests at a new service, which ends with the test. */
export async function operatingBench(manifests: string, given: Partial<SandboxOptions> = {}): Promise<OperatingBench> {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant', ...given })
  const server = await serveSandbox({ sandbox })
  onTestFinished(() => server.close())
  const folder = newFolder()
  const options = { folder, environment: { IAC_BASE_URL: server.url }, token: sandbox.token }
  writeFileSync(join(folder, 'main.yaml'), manifests)
  const run: OperatingBench['run'] = (words, more = {}) => runCli(words, { ...options, ...more, environment: { ...options.environment, ...more.environment } })
  async function stoppedOnce(words: readonly string[], more: Partial<Options>, arm: (stop: () => void, printed: Ran) => void): Promise<Ran> {
    const printed = { code: 0, stdout: '', stderr: '' }
    const controller = new AbortController()
    arm(() => controller.abort(), printed)
    const surroundings = surroundingsFor({ ...options, ...more }, printed)
    const code = await runCommand(words, { ...surroundings, stop: controller.signal })
    return { ...printed, code }
  }
  if (manifests !== '') {
    const { code, stderr } = await run(['apply', '--auto-approve'])
    if (code !== 0) throw new Error(stderr)
  }
  return {
    folder,
    sandbox,
    url: server.url,
    run,
    stopping: (words, operation, more = {}) =>
      stoppedOnce(words, more, (stop) => {
        sandbox.faults.hook = (request) => {
          if (request.operation === operation) stop()
          return undefined
        }
      }),
    until: (words, text, more = {}) =>
      stoppedOnce(words, more, (stop, printed) => {
        const timer = setInterval(() => {
          if (![text].flat().every((one) => printed.stdout.includes(one))) return
          clearInterval(timer)
          stop()
        }, 10)
        onTestFinished(() => clearInterval(timer))
      }),
  }
}
