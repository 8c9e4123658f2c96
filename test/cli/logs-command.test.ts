// `iac logs`: an afternoon with what services write.
import { describe, expect, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'

const around = `${manifest('Instance', 'node', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')}${manifest('K3sCluster', 'main', '')}${manifest('K3sNode', 'one', 'instance: node')}`
const service = (name: string): string => manifest('K3sService', name, 'image: nginx:1.27\nmode: SPREAD\ntarget_instances: [node]\nreplicas: 2')

/** A service in which a minute passes in a second. */
const bench = (): Promise<OperatingBench> => operatingBench(`${around}${service('shop')}${service('search')}`, { clock: realClock(60) })

describe('the log as it is', () => {
  test('prints the last lines, those of a pod, and those since an instant', async () => {
    const { run } = await bench()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const { code, stdout } = await run(['logs', 'K3sService/shop', '--tail', '2'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^(?:\S+Z shop-\d+-0 .+\n){2}$/)])
    expect((await run(['logs', 'K3sService/shop', '--pod', '1'])).stdout).toMatch(/^\S+Z shop-\d+-1 starting nginx:1.27\n/)
    expect((await run(['logs', 'K3sService/shop', '--since', '2100-01-01T00:00:00Z'])).stdout).toBe('')
    expect((await run(['logs', 'K3sService/shop', '--since', '10m'])).stdout).toContain('starting')
    for (const words of [[], ['--follow']]) {
      const none = await run(['logs', 'K3sService/shop', '--pod', '7', ...words])
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('K3sService/shop has no log of a pod 7: pod not found\n')])
    }
  })

  test('a pattern means what nobody manages here, too, where the state holds nothing that fits', async () => {
    const { run } = await bench()
    for (const name of ['shop', 'search']) await run(['state', 'rm', `K3sService/${name}`])
    const { code, stdout } = await run(['logs', 'K3sService/s*', '--tail', '1'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^K3sService\/search \| .+\nK3sService\/shop +\| .+\n$/)])
    const { stderr } = await run(['redeploy', 'K3sService/*', '--auto-approve'])
    expect(stderr).toContain('K3sService/* means 2 objects')
  })

  test('several are told behind their names', async () => {
    const { run } = await bench()
    const { code, stdout } = await run(['logs', 'K3sService/*', '--tail', '1'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^K3sService\/search \| \S+ search-\S+ .+\nK3sService\/shop   \| \S+ shop-\S+ .+\n$/)])
    const pods = await run(['logs', 'K3sService/shop', '--pod', '0', '--pod', '1', '--tail', '1'], { colours: true })
    expect(pods.stdout).toMatch(/^\u001b\[36mK3sService\/shop#0 \|\u001b\[39m .+\n\u001b\[33mK3sService\/shop#1 \|\u001b\[39m .+\n$/)
  })

  test('as JSON, each line is an object', async () => {
    const { run, until } = await bench()
    const lines = (text: string): unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    const [line] = lines((await run(['logs', 'K3sService/shop', '--pod', '1', '--json'])).stdout)
    expect(line).toEqual({ address: 'K3sService/shop', pod: 1, time: expect.stringMatching(/^20\S+Z$/), line: expect.stringMatching(/^shop-1-1 starting/) })
    expect(schemaProblems(allSchemas(kinds)['logs.schema.json'] ?? {}, line)).toEqual([])
    const { stdout } = await until(['logs', 'K3sService/shop', 'K3sService/search', '--follow', '--json'], '"address":"K3sService/search"')
    expect(lines(stdout)).toContainEqual(expect.objectContaining({ address: 'K3sService/search', pod: null }))
  })

  test.each([
    [['K3sService/shp'], 'did you mean K3sService/shop?'],
    [['Instance/node'], 'this is for K3sService, not for Instance'],
    [['K3sService/shop', '--since', 'yesterday'], '--since yesterday: write a duration'],
    [['K3sService/shop', '--pod', '-1'], 'a pod is a number'],
    [[], "missing required argument 'ADDRESS'"],
  ])('refuses %j', async (words, said) => {
    const { run } = await operatingBench(around + service('shop'))
    expect(await run(['logs', ...words])).toMatchObject({ code: 3, stderr: expect.stringContaining(said) })
  })
})

describe('--follow', () => {
  test('goes on with what comes until ^C, which is 130', async () => {
    const { until } = await bench()
    const { code, stdout } = await until(['logs', 'K3sService/shop', 'K3sService/search', '-f', '--tail', '1'], ['shop-1-0 alive 3', 'search-1-0 '])
    expect(code).toBe(130)
    for (const name of ['shop', 'search']) expect(stdout).toMatch(new RegExp(`^K3sService/${name} *\\| \\S+ ${name}-1-0 `, 'm'))
  })

  test('a connection that is lost is made anew, and no line is told twice or not at all', async () => {
    const { until, sandbox } = await bench()
    sandbox.faults.add({ operation: 'getK3sServiceLogs', truncateBytes: 300, times: 2 })
    const { code, stdout, stderr } = await until(['logs', 'K3sService/shop', '--follow'], ' alive 12\n')
    const told = [...stdout.matchAll(/ alive (\d+)\n/g)].map(([, count]) => Number(count))
    expect([code, told]).toEqual([130, Array.from({ length: told.length }, (_, at) => at + 1)])
    expect(stderr).toContain('the stream was lost, and is asked for again')
  })

  test('ends by itself once nobody reads, and with what it follows', async () => {
    const { run, sandbox } = await bench()
    expect((await run(['logs', 'K3sService/shop', '--follow'], { isGone: true })).code).toBe(0)
    const [workspace] = JSON.parse((await run(['get', 'workspaces', '--json'])).stdout)
    const { id } = JSON.parse((await run(['state', 'show', 'K3sService/shop', '--json'])).stdout)
    const isAsked = new Promise<void>((resolve) => {
      sandbox.faults.hook = ({ operation }) => {
        if (operation === 'getK3sServiceLogs') resolve()
        return undefined
      }
    })
    const following = run(['logs', 'K3sService/shop', '--follow'])
    await isAsked
    await new Promise((resolve) => setTimeout(resolve, 300))
    await run(['api', 'DELETE', `/v1/workspaces/${workspace.id}/k3s/services/${id}`, '--auto-approve', '--wait'])
    expect(await following).toMatchObject({ code: 0, stderr: expect.stringContaining('K3sService/shop: the log has ended') })
  })
})
