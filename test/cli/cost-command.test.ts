// `iac cost`: prices by resource before and after an apply, what has none and why, and a service that does not tell parts apart.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Ran } from './run-cli.ts'
import { newFolder, runCli } from './run-cli.ts'

const kind = (name: string, called: string, spec: string): string => `apiVersion: iac/v1\nkind: ${name}\nmetadata: { name: ${called} }\nspec: ${spec}\n`
const web = kind('Instance', 'web', '{ type: PLAN, plan: ryzen-4, region: fra-1 }')
const data = (size: string): string => kind('Disk', 'data', `{ name: data, size: ${size}, backend: LOCAL, region: fra-1 }`)
const spare = kind('Disk', 'spare', '{ name: spare, size: 100GiB, backend: LOCAL, region: fra-1 }')

function project(...texts: readonly string[]) {
  const folder = newFolder()
  const write = (...all: readonly string[]): void => writeFileSync(join(folder, 'main.yaml'), all.join('---\n'))
  write(...texts)
  return { folder, write, run: (...words: string[]): Promise<Ran> => runCli([...words, '--sandbox'], { folder }) }
}

test('tells the price of each resource, live and as the manifests want it, and why one has none', async () => {
  const { run, write } = project(web, data('100GiB'), kind('K3sCluster', 'main', '{}'))
  expect(await run('cost')).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      'ADDRESS       HOURLY BEFORE  HOURLY AFTER  MONTHLY BEFORE  MONTHLY AFTER',
      'Disk/data                 -      0.002500               -           1.68',
      'Instance/web              -      0.030000               -          20.16',
      '',
      'Not priced, or not for itself:',
      '  K3sCluster/main: the service has no price for it that can be asked for',
      '',
      'Total: 0.00 -> 21.84 USD a month (+21.84 a month, +0.032500 an hour).',
      '',
    ].join('\n'),
  })
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  expect((await run('cost')).stdout).toContain('Total: 21.84 USD a month, 0.032500 an hour; as what is live.')
  write(web, data('200GiB'))
  const { stdout } = await run('cost', '--json')
  expect(JSON.parse(stdout)).toEqual({
    currency: 'USD',
    unit: 'micro',
    hourly_before: '32500',
    hourly_after: '35000',
    monthly_before: '21840000',
    monthly_after: '23520000',
    unpriced: ['K3sCluster/main'],
    resources: [
      { address: 'Disk/data', kind: 'Disk', hourly_before: '2500', hourly_after: '5000', monthly_before: '1680000', monthly_after: '3360000', unpriced: null },
      {
        address: 'Instance/web',
        kind: 'Instance',
        hourly_before: '30000',
        hourly_after: '30000',
        monthly_before: '20160000',
        monthly_after: '20160000',
        unpriced: null,
      },
      {
        address: 'K3sCluster/main',
        kind: 'K3sCluster',
        hourly_before: null,
        hourly_after: null,
        monthly_before: null,
        monthly_after: null,
        unpriced: 'the service has no price for it that can be asked for',
      },
    ],
  })
})

/** What an account service of one workspace answers; estimates are as given. */
async function pricedBy(estimate: unknown): Promise<Ran> {
  const server = createServer(({ url = '' }, response) => {
    const isEstimate = url === '/v1/billing/estimate'
    const page = { items: url.startsWith('/v1/workspaces?') ? [{ id: '1', name: 'default' }] : [], hasNext: false, after: null }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(isEstimate ? estimate : url.includes('/quota') ? {} : page))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const { folder } = project(data('100GiB'), spare)
  const environment = { IAC_BASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
  try {
    return await runCli(['cost'], { folder, environment, token: 'a-token-of-tests' })
  } finally {
    server.close()
  }
}

test.each([
  [
    'have other types',
    {
      hourly_rate: 5000,
      parts: [
        { type: 'CPU', hourly_rate: 2500 },
        { type: 'STORAGE', hourly_rate: 2500 },
      ],
    },
  ],
  [
    'do not add up',
    {
      hourly_rate: 5000,
      parts: [
        { type: 'STORAGE', hourly_rate: 2500 },
        { type: 'STORAGE', hourly_rate: 2499 },
      ],
    },
  ],
  ['are none', { hourly_rate: 5000 }],
])('parts of an estimate that %s are told apart for no resource, and count in the total', async (_, estimate) => {
  const { code, stdout } = await pricedBy(estimate)
  expect(code).toBe(0)
  expect(stdout).toMatch(/Disk\/spare: it counts in the total: the estimate for fra-1 does not tell its parts apart/)
  expect(stdout).toContain('Total: 0.00 -> 3.36 USD a month')
})

test.each([
  ['nothing', null],
  ['a rate that is no whole number', { hourly_rate: 1.5 }],
  ['a text', 'free'],
])('a service that estimates by %s prices nothing', async (_, estimate) => {
  const { code, stdout } = await pricedBy(estimate)
  expect([code, stdout]).toEqual([0, expect.stringContaining('Disk/data: the service does not estimate what it is made of there')])
  expect(stdout).toContain('Total: 0.00 USD a month')
})
