// A list that is sensitive as a whole is asked for when it is exported: left out, whoever makes the object anew would lose it unseen.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'
import { serving } from './serve-sandbox.ts'

const template = {
  name: 'shop',
  description: 'a shop',
  image: 'shop:1',
  environment: [
    { key: 'PASSWORD', value: 'hunter2-canary {{random:32}}' },
    { key: 'PORT', value: null },
  ],
  mounts: [],
  ports: [{ name: 'web', container_port: 80, protocol: 'TCP', http: true }],
}

test('the environment of a template becomes a variable, and what is given for it is held against the live one', async () => {
  await serving(newFolder(), [], async ({ address }) => {
    const folder = newFolder()
    const head = 'apiVersion: iac/v1\nkind: Project\nname: taken\n'
    writeFileSync(join(folder, 'iac.yaml'), head)
    const run = (...words: string[]) => runCli(words, { folder, environment: { IAC_BASE_URL: address.url }, token: address.operator_token })
    writeFileSync(join(folder, 'template.json'), JSON.stringify(template))
    expect(await run('api', 'POST', '/v1/app-templates', '--input', 'template.json')).toMatchObject({ code: 0 })
    const { code, stdout, stderr } = await run('export', '--kind', 'AppTemplate')
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/ apptemplate_shop_environment: \{ type: list, sensitive: true/)
    expect(`${stdout}${stderr}`).not.toContain('hunter2-canary')
    const mine = stdout.split(/^---$/m).find((one) => one.includes('name: shop')) ?? ''
    writeFileSync(join(folder, 'shop.yaml'), mine)
    writeFileSync(join(folder, 'iac.yaml'), `${head}${stderr.match(/^variables:\n|^ {2}apptemplate_shop.*\n/gm)?.join('')}`)
    const planned = (environment: unknown) => run('plan', '--var', `apptemplate_shop_environment=${JSON.stringify(environment)}`)
    const right = await planned(template.environment)
    expect(right.stdout, right.stderr).toContain('Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.')
    const wrong = await planned(template.environment.slice(1))
    expect(wrong.stdout, wrong.stderr).toContain('Plan: 1 to import, 0 to add, 1 to change, 0 to destroy.')
  })
})
