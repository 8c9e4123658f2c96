// What the document leaves open and the sandbox had to decide: each question once, with its default and its other readings.

/** One open question; the first of `readings` is the default. A number may be replaced by any other number. */
interface Assumption {
  readonly section: string
  readonly question: string
  readonly readings: readonly [string | number, ...(string | number)[]]
}

/** The questions that can be answered otherwise, by the key under which `createSandbox({ readings })` takes the answer. */
export const assumptions = {
  lists: { section: 'Record shapes whose fields are incomplete', question: 'whether a list item carries all fields of the record', readings: ['full', 'slim'] },
  details: {
    section: 'Record shapes whose fields are incomplete',
    question: 'where a field stands in a record: as in the request, under another name, or one level down with summaries for ids',
    readings: ['flat', 'aliased', 'nested'],
  },
  wrapper: {
    section: 'Record shapes whose fields are incomplete',
    question: 'where workflow and resource stand in "workflow with the new X"',
    readings: ['both-members', 'workflow-top', 'resource-top'],
  },
  resourceInCreate: {
    section: 'Record shapes whose fields are incomplete',
    question: 'whether the answer to a create holds the resource, or its id comes with the workflow data alone',
    readings: ['yes', 'no'],
  },
  accepted: { section: 'Errors', question: 'the status of an accepted workflow where the document names none', readings: [202, 200] },
  created: { section: 'Errors', question: 'the status of a synchronous create where the document names none', readings: [201, 200] },
  openMethods: { section: 'Endpoints', question: 'which method works where the document names two', readings: ['first', 'second', 'both'] },
  arrayQuery: {
    section: 'Shared pagination',
    question: 'how a list stands in a query; none: such filters are ignored',
    readings: ['repeat', 'comma', 'brackets', 'none'],
  },
  nameFilter: { section: 'Endpoints', question: 'whether a filter by name wants the whole name', readings: ['partial', 'exact'] },
  maxPageSize: { section: 'Limits', question: 'the largest limit of a list', readings: [100, 50, 1000] },
  overLimit: { section: 'Shared pagination', question: 'what a larger limit does', readings: ['refuse', 'clamp'] },
  workspaceFlags: { section: 'Workspace', question: 'where the settings of a workspace stand', readings: ['words', 'members'] },
  auditEntry: { section: 'Record shapes whose fields are incomplete', question: 'the body of an audit log entry', readings: ['entry', 'empty'] },
  emptyBodies: { section: 'Errors', question: 'whether a refusal of the rules names the field in the body', readings: ['fields', 'empty'] },
  deletion: { section: 'Instances', question: 'whether a deletion is carried out at once or scheduled', readings: ['immediate', 'scheduled'] },
  scheduledDeletionMs: { section: 'Instances', question: 'how long a scheduled deletion waits', readings: [3_600_000] },
  startDefault: { section: 'Instances', question: 'whether an instance is started when its create does not say', readings: ['yes', 'no'] },
  busyInstances: {
    section: 'Errors',
    question: 'which calls an instance refuses while a workflow on it is under way: power and delete, those and updates, none',
    readings: ['refuse', 'refuse-all', 'refuse-none'],
  },
  powerSame: { section: 'Instances', question: 'what a power action does on an instance that is in that state already', readings: ['accept', 'refuse'] },
  extraDisks: { section: 'Instances', question: 'what becomes of the extra disks of a deleted instance', readings: ['detached', 'deleted'] },
  grantedIps: { section: 'Instances', question: 'what becomes of the addresses that came with a deleted instance', readings: ['deleted', 'kept'] },
  clusterInstances: {
    section: 'Instances',
    question: 'whether an instance can be deleted while it is a node of the cluster; the node goes with it',
    readings: ['accept', 'refuse'],
  },
  workflowData: { section: 'Workflow', question: 'how the data of a workflow names what it created', readings: ['word-id', 'id', 'none'] },
  firewallQuota: {
    section: 'Limits',
    question: 'what firewall_rules_per_ip counts: the rules of an instance for each of its addresses, or for the instance',
    readings: ['address', 'instance', 'off'],
  },
  firewallCounts: { section: 'Firewall rules', question: 'whether the counts name instances without rules', readings: ['with-rules', 'all'] },
  serviceItems: { section: 'Managed cluster', question: 'whether a list wraps services as a single fetch does', readings: ['plain', 'wrapped'] },
  serviceTargets: { section: 'Managed cluster', question: 'what a target instance of a service must be', readings: ['node', 'instance'] },
  busyServices: { section: 'Managed cluster', question: 'whether a service that is being rolled out takes another change', readings: ['refuse', 'accept'] },
  hostPorts: { section: 'Managed cluster', question: 'whether two services may take one host port of an instance', readings: ['refuse', 'accept'] },
  rateLimit: { section: 'Limits', question: 'requests of one token within the window before 429; 0 is no limit', readings: [0] },
  rateWindowMs: { section: 'Limits', question: 'the window of the rate limit', readings: [60_000] },
} as const satisfies Readonly<Record<string, Assumption>>

type Widened<T> = T extends number ? number : T

/** The answers to the open questions. */
export type Readings = { readonly [K in keyof typeof assumptions]: Widened<(typeof assumptions)[K]['readings'][number]> }

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

/** Every reading at its default, but for those given. */
export function readingsOf(given: Partial<Readings> = {}): Readings {
  return { ...defaults, ...given }
}

const defaults: Readings = Object.freeze({
  lists: assumptions.lists.readings[0],
  details: assumptions.details.readings[0],
  wrapper: assumptions.wrapper.readings[0],
  resourceInCreate: assumptions.resourceInCreate.readings[0],
  accepted: assumptions.accepted.readings[0],
  created: assumptions.created.readings[0],
  openMethods: assumptions.openMethods.readings[0],
  arrayQuery: assumptions.arrayQuery.readings[0],
  nameFilter: assumptions.nameFilter.readings[0],
  maxPageSize: assumptions.maxPageSize.readings[0],
  overLimit: assumptions.overLimit.readings[0],
  workspaceFlags: assumptions.workspaceFlags.readings[0],
  auditEntry: assumptions.auditEntry.readings[0],
  emptyBodies: assumptions.emptyBodies.readings[0],
  deletion: assumptions.deletion.readings[0],
  scheduledDeletionMs: assumptions.scheduledDeletionMs.readings[0],
  startDefault: assumptions.startDefault.readings[0],
  busyInstances: assumptions.busyInstances.readings[0],
  powerSame: assumptions.powerSame.readings[0],
  extraDisks: assumptions.extraDisks.readings[0],
  grantedIps: assumptions.grantedIps.readings[0],
  clusterInstances: assumptions.clusterInstances.readings[0],
  workflowData: assumptions.workflowData.readings[0],
  firewallQuota: assumptions.firewallQuota.readings[0],
  firewallCounts: assumptions.firewallCounts.readings[0],
  serviceItems: assumptions.serviceItems.readings[0],
  serviceTargets: assumptions.serviceTargets.readings[0],
  busyServices: assumptions.busyServices.readings[0],
  hostPorts: assumptions.hostPorts.readings[0],
  rateLimit: assumptions.rateLimit.readings[0],
  rateWindowMs: assumptions.rateWindowMs.readings[0],
})
