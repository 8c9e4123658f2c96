// What was decided where the document is silent and cannot be chosen otherwise, for the documentation.

/** What was decided and cannot be chosen otherwise, for the documentation. */
export const decisions: readonly { readonly section: string; readonly decision: string }[] = [
  { section: 'Identifiers', decision: 'a path parameter that is no 64-bit id is 404, as an id that nobody has' },
  {
    section: 'Shared pagination',
    decision: 'a list without a documented order is in order of creation; `sort` takes the top-level scalar fields of the record, others are 400',
  },
  { section: 'Shared pagination', decision: 'a cursor is opaque and holds for the order it was made in; a cursor that was not made here is 400' },
  { section: 'Errors', decision: 'field errors are {"errors":[{"field","message"}]}; an unknown query parameter or body member is a 400' },
  { section: 'Errors', decision: 'a known path with a method that no row has is 405, an unknown path 404' },
  {
    section: 'Authentication',
    decision:
      'order of refusals: 403 and 401 of the token, 404 of what is not visible, 403 of role and grant, 400 of the body, then the rules of the operation',
  },
  {
    section: 'Authentication',
    decision: 'a token of a workspace or resource acts as Administrator in that workspace and sees no other; a resource token sees its resource alone',
  },
  { section: 'Authentication', decision: 'staff has the level OWNER in every workspace' },
  { section: 'Tokens', decision: 'refreshing is allowed to any caller who holds the session code; a refusal is 400' },
  { section: 'VPCs', decision: 'the first address of a range is the gateway; members get the lowest free one; VLAN tags count from 100' },
  {
    section: 'VPCs',
    decision: 'a range may overlap another of the workspace; a second membership of the same pair is 409; a range without a free address is 409',
  },
  {
    section: 'BGP',
    decision: 'a configuration made without max_prefixes allows 10; one prefix more, or a prefix twice, is 409; prefixes need a configuration (404)',
  },
  {
    section: 'Instances',
    decision:
      'a new instance boots from DISK, without UEFI, secure boot, virtio CD and hostname sync, with its firewall on; its disks, addresses and memberships are reserved at once; platform nodes can be targeted by everyone',
  },
  { section: 'Instances', decision: 'a power cycle leaves an instance online, whatever it was; a second delete of an instance is 409' },
  {
    section: 'Instances',
    decision: 'metrics are {instance, start, end, step, series: [{name, points: [[time, value]]}]}, at most 10,000 points of each series',
  },
  { section: 'Firewall rules', decision: 'a rule holds from the answer on, and is gone with the answer to its delete; its ranges are kept as they were sent' },
  {
    section: 'Managed cluster',
    decision:
      'a second cluster, a second node on an instance, a name that is taken, and a rollback without an earlier revision are 409; nodes, services and secrets need an ACTIVE cluster (409) and are empty lists without one',
  },
  {
    section: 'Managed cluster',
    decision: 'a SPREAD service without targets runs on all nodes, a PINNED one nowhere; a log line comes every ten seconds; a pod that does not exist is 404',
  },
  { section: 'Limits', decision: 'a create beyond the quota is 403; default quotas stand in the seed' },
  { section: 'Workflow', decision: 'the started time of a queued workflow is when it was accepted' },
]
