// An instance as the sandbox keeps it, for tests that begin with one.
import type { InstanceRow } from '../../src/sandbox/store/rows.ts'

/** The columns of an available instance without a plan, to be inserted with a workspace. */
export const instanceFields = {
  name: 'web',
  type: 'PLAN',
  planId: null,
  group: 'RYZEN',
  region: 'fra-1',
  nodeId: null,
  cpu: 2,
  memoryBytes: 4_294_967_296,
  storage: [],
  bandwidth: null,
  imageId: null,
  isoId: null,
  ipIds: [],
  boot: 'DISK',
  uefi: true,
  secureBoot: false,
  attachVirtioCd: false,
  syncHostname: false,
  firewallEnabled: false,
  osName: null,
  state: 'AVAILABLE',
  online: true,
} satisfies Omit<InstanceRow, 'id' | 'createdAt' | 'workspaceId'>
