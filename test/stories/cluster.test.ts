// An afternoon with the managed cluster: a node, a secret, a service that is deployed anew, put back and read, and the end of all.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const worker = manifest('Instance', 'worker', 'name: worker\ntype: PLAN\nplan: ryzen-4\nregion: fra-1')
const cluster = `${manifest('K3sCluster', 'main', '')}${manifest('K3sNode', 'worker', 'instance: worker')}`
const secret = (value: string): string => manifest('K3sSecret', 'database', `name: database\ndata: { PASSWORD: ${value} }`)
const shop = (image: string): string =>
  manifest('K3sService', 'shop', `name: shop\nimage: ${image}\nmode: SPREAD\ntarget_instances: [worker]\nsecret_refs: [database]`)

test('Managed cluster', async () => {
  await afternoon('Managed cluster', async ({ user, write, control, project }) => {
    project('provider: { compat: { settle_window: 1s, read_grace: 1s } }')
    // The answer to one request is lost on its way.
    await control('POST', '/faults', { operation: 'createK3sNode', reset: 'after', times: 1 })
    write(worker, cluster, secret('first'), shop('nginx:1.27'))
    await user('apply --auto-approve')
    write(worker, cluster, secret('second'), shop('nginx:1.28'))
    await user('apply --auto-approve')
    expect(await user('logs K3sService/shop --tail 5')).not.toBe('')
    expect(await user('redeploy K3sService/shop --auto-approve')).toContain('redeployed')
    expect(await user('rollback K3sService/shop --auto-approve')).toContain('rolled back')
    expect(await user('get k3snodes')).toContain('worker')
    // With its cluster the secret would go without a call of its own.
    await user('destroy --target K3sSecret/database --auto-approve')
    await user('destroy --auto-approve')
    expect(await user('get k3sservices')).toBe('')
  })
})
