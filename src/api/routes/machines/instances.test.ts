// The bodies of instances: what they take, and what they refuse.
import { expect, test } from 'vitest'
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { instances } from './instances.ts'

const plan = { type: 'PLAN', name: 'web', region: 'eu', plan: '7' }
const storage = [{ size_bytes: 1e10, boot: true, backing: 'LOCAL' }]
const custom = { type: 'CUSTOM', name: 'web', node: '5', group: 'RYZEN', cpu: 2, memory_bytes: 2 ** 32, storage }

describeBodies(instances, {
  createInstance: {
    takes: [
      plan,
      { ...custom, bandwidth: { upload_bytes_sec: 1, download_bytes_sec: 2 } },
      { ...plan, image: '3', ips: [{ family: 'IPv6', ddos: false }], vpcs: ['4'], boot: 'ISO', cloud_init: '#', disable_cloud_init: false, start: true },
    ],
    refuses: [
      { ...plan, node: '5' },
      { ...plan, region: undefined },
      { ...plan, cpu: 2 },
      { ...plan, plan: undefined },
      { ...plan, ips: [{ family: 'IPv5', ddos: false }] },
      { ...custom, plan: '7' },
      { ...custom, storage: [] },
      { ...custom, storage: [...storage, ...storage] },
      { ...custom, storage: undefined },
      { ...custom, group: 'OTHER' },
      { ...custom, type: 'BOTH' },
      { ...custom, region: 'eu' },
    ],
  },
  updateInstance: {
    takes: [{ name: 'n', boot: 'DISK', uefi: true, secure_boot: true, attach_virtio_cd: true, sync_hostname: true, firewall_enabled: true, os_name: 'o' }],
    refuses: [{ boot: 'CD' }, { cpu: 2 }],
  },
  powerInstance: {
    takes: [{ action: 'SHUTDOWN' }],
    refuses: [{ action: 'REBOOT' }, {}],
  },
})

test('the error of a wrong placement names the field', () => {
  expect(instances.createInstance.body().safeParse({ type: 'PLAN', name: 'web', plan: 7 }).error?.issues).toMatchObject([{ path: ['region'] }])
})
