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
