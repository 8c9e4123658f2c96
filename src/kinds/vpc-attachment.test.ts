// VPC attachments: id, steps, and the conflict with memberships of an instance.
import { expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import type { Peer } from './definition/kind.ts'
import { VpcAttachment } from './vpc-attachment.ts'

const answers = { '/v1/vpcs/11/instances': [{ instance: { id: '1', name: 'web' }, ip: '10.0.0.2' }], '/v1/vpcs/12/instances': [] }

test('is read from the side of the VPC, one that is gone has no members', async () => {
  const [one, ...more] = await VpcAttachment.list(cannedReader(answers), cannedAt([], ['11', '12', '13']))
  expect(more).toEqual([])
  expect(one && [VpcAttachment.id(one), VpcAttachment.outputsOf(one)]).toEqual(['1/11', { id: '1/11', address: '10.0.0.2' }])
  expect(await VpcAttachment.read(cannedReader(answers), '1/11', cannedAt())).toMatchObject({ instance: '1', vpc: '11' })
  expect(await VpcAttachment.read(cannedReader(answers), '1/12', cannedAt())).toBeUndefined()
})
test('leaves by the ids in its own when nothing else is known', () => {
  const [step] = VpcAttachment.removal({ id: '1/11', workspaceId: '9', recorded: {}, live: undefined, fresh: false, nowMs: 0 })
  expect(step).toMatchObject({ removes: true, call: { params: { iid: '1', vid: '11' } } })
})
test('says when it joins that a boot may be needed', () => {
  const peer = (name: string, action: string): Peer => ({
    address: `VpcAttachment/${name}`,
    kind: 'VpcAttachment',
    workspace: '9',
    spec: { instance: 'Instance/a', vpc: 'Vpc/v' },
    action,
  })
  const peers = [peer('a', 'create'), peer('b', 'no-op')]
  expect(VpcAttachment.advise?.(peers).map((problem) => problem.address)).toEqual(['VpcAttachment/a'])
})
