// What the document leaves open and the sandbox had to decide: each question once, with its default and its other readings. Beside them strains: answers that the document excludes, which a client should withstand all the same.

/** One open question; the first of `readings` is the default. A number may be replaced by any other from `least` on (0 without it), unless they are `all`. */
export interface Assumption {
  readonly section: string
  readonly question: string
  readonly readings: readonly [string | number, ...(string | number)[]]
  readonly least?: number
  readonly all?: true
  /** The document's own words against every answer but the first: these are strains, no readings. */
  readonly excluded?: string
  /** What a reading asks of `provider.compat`, by the reading; nothing where there is none. */
  readonly compat?: Readonly<Record<string, Settings>>
}

/** Settings of `provider.compat` by their names: single words, or a map of them. */
export type Settings = Readonly<Record<string, string | number | Readonly<Record<string, string>>>>

/** Every question that can be answered otherwise, by the key under which `createSandbox({ readings })` or `createSandbox({ strains })` takes the answer. */
export const questions = {
  lists: { section: 'Record shapes whose fields are incomplete', question: 'whether a list item carries all fields of the record', readings: ['full', 'slim'] },
  details: {
    section: 'Record shapes whose fields are incomplete',
    question:
      'where a field stands in a record: as in the request, under another name, one level down with summaries for ids, under a name that nobody guesses, or nowhere unless the document names it',
    readings: ['flat', 'aliased', 'nested', 'renamed', 'named-only'],
    compat: {
      renamed: {
        fields: {
          'Instance.memory_bytes': '/ram',
          'Disk.instance': '/server',
          'FloatingIp.type': '/version',
          'FloatingIp.instance': '/server',
          'Vpc.vlan': '/tag',
          'VpcAttachment.address': '/inside',
          'FirewallRule.instance': '/server',
        },
      },
    },
  },
  emptyMembers: {
    section: 'Record shapes whose fields are incomplete',
    question: 'whether a member of such a record that has no value is null or left out',
    readings: ['null', 'absent'],
  },
  timestamps: { section: 'What the service does', question: 'how an instant is written in ISO 8601', readings: ['utc', 'offset'] },
  wrapper: {
    section: 'Record shapes whose fields are incomplete',
    question: 'where workflow and resource stand in "workflow with the new X"',
    readings: ['both-members', 'workflow-top', 'resource-top', 'other-members'],
  },
  workflowAnswers: {
    section: 'Record shapes whose fields are incomplete',
    question: 'whether a workflow that is answered alone is the whole answer, or a member of it',
    readings: ['bare', 'member'],
  },
  resourceInCreate: {
    section: 'Record shapes whose fields are incomplete',
    question: 'whether the answer to a create holds the resource, or its id comes with the workflow data alone',
    readings: ['yes', 'no'],
    excluded: 'WorkflowWithResource holds a workflow and the created resource',
  },
  accepted: { section: 'Errors', question: 'the status of an accepted workflow where the document names none', readings: [202, 200], all: true },
  created: { section: 'Errors', question: 'the status of a synchronous create where the document names none', readings: [201, 200], all: true },
  bodyTypes: {
    section: 'What the service does',
    question: 'what a body may be declared as: as JSON, or as nothing, what is declared as something else being 400; or as anything',
    readings: ['json', 'any'],
  },
  openMethods: { section: 'Endpoints', question: 'which method works where the document names two', readings: ['first', 'second', 'both'] },
  arrayQuery: {
    section: 'Shared pagination',
    question: 'how a list stands in a query, of other forms the last value alone counting',
    readings: ['repeat', 'comma', 'brackets'],
    compat: { comma: { array_query: 'comma' }, brackets: { array_query: 'brackets' } },
  },
  filters: {
    section: 'Endpoints',
    question: 'whether lists obey their filters, or answer as if none was sent',
    readings: ['obeyed', 'ignored'],
    excluded: 'query: q (name, IP or ID), ip, id (integer[]), name',
  },
  openOrder: { section: 'Shared pagination', question: 'the order of lists where the document names none', readings: ['oldest-first', 'newest-first'] },
  cursors: {
    section: 'Shared pagination',
    question: 'whether lists that are not described as keyset-paged have cursors',
    readings: ['all', 'keyset'],
    excluded: 'A null cursor means there is no page in that direction.',
  },
  keysetPages: {
    section: 'Shared pagination',
    question: 'whether keyset-paged lists count pages by number, too',
    readings: ['counted', 'ignored'],
    excluded: 'Some lists are described as keyset-paged (recipes, plans, nodes); the parameters are the same.',
  },
  listedStates: {
    section: 'Resource state',
    question: 'which resources a list shows: all, those that are not leaving, or only those that are neither coming nor leaving',
    readings: ['all', 'staying', 'settled'],
  },
  nameFilter: { section: 'Endpoints', question: 'whether a filter by name wants the whole name', readings: ['partial', 'exact'] },
  maxPageSize: {
    section: 'Limits',
    question: 'the largest limit of a list',
    readings: [100, 50, 1000],
    // "default limit 50" stands in the document.
    least: 50,
  },
  overLimit: { section: 'Shared pagination', question: 'what a larger limit does', readings: ['refuse', 'clamp'] },
  workspaceFlags: {
    section: 'Workspace',
    question: 'where the settings of a workspace stand: as words among its flags, as members, or as other words',
    readings: ['words', 'members', 'other-words'],
    compat: { 'other-words': { workspace_flags: { mfa_required: 'REQUIRE_2FA', disable_ssh_password: 'SSH_KEYS_ONLY' } } },
  },
  auditEntry: { section: 'Record shapes whose fields are incomplete', question: 'the body of an audit log entry', readings: ['entry', 'empty'] },
  emptyBodies: { section: 'Errors', question: 'whether a refusal of the rules names the field in the body', readings: ['fields', 'empty'] },
  quotaStatus: { section: 'Errors', question: 'the status of a create beyond a quota', readings: [403, 400, 409], all: true },
  takenStatus: { section: 'Errors', question: 'the status of a create whose name or place is taken', readings: [409, 400], all: true },
  effectLagMs: {
    section: 'States and transitions',
    question: 'how long the effect of a workflow takes to show once it has completed; until then, what it is about is refused to others as while it runs',
    readings: [0, 3000],
  },
  readLagMs: {
    section: 'What the service does',
    question:
      'how far reads lag behind what was written; a client that waits 10 s for what it wrote is told of more by `read_grace`, else it makes things twice',
    readings: [0, 2000, 15_000],
    compat: { 15_000: { read_grace: '20s' } },
  },
  deletion: {
    section: 'Instances',
    question: 'whether a deletion is carried out at once or scheduled, its workflow ending with it or when it is scheduled',
    readings: ['immediate', 'scheduled', 'scheduled-apart'],
  },
  scheduledDeletionMs: { section: 'Instances', question: 'how long a scheduled deletion waits', readings: [3_600_000] },
  startDefault: { section: 'Instances', question: 'whether an instance is started when its create does not say', readings: ['yes', 'no'] },
  firewallDefault: { section: 'Instances', question: 'whether the firewall of a new instance is on', readings: ['on', 'off'] },
  busyInstances: {
    section: 'Errors',
    question:
      'which calls an instance refuses while a workflow on it is under way (for its delete, on what hangs on it, too): power and delete, those and updates, none',
    readings: ['refuse', 'refuse-all', 'refuse-none'],
  },
  powerSame: { section: 'Instances', question: 'what a power action does on an instance that is in that state already', readings: ['accept', 'refuse'] },
  extraDisks: { section: 'Instances', question: 'what becomes of the extra disks of a deleted instance', readings: ['detached', 'deleted'] },
  grantedIps: { section: 'Instances', question: 'what becomes of the addresses that came with a deleted instance', readings: ['deleted', 'kept'] },
  attachedIps: {
    section: 'Instances',
    question: 'what becomes of the floating addresses that are attached to a deleted instance',
    readings: ['detached', 'deleted'],
  },
  instanceRules: { section: 'Firewall rules', question: 'what becomes of the rules of a deleted instance', readings: ['deleted', 'kept'] },
  otherRegion: {
    section: 'Disks',
    question: 'whether a disk or an address can be attached to an instance in another region',
    readings: ['refuse', 'accept'],
  },
  ipCommands: {
    section: 'Endpoints that exist but have no shape here',
    question: 'what attaching and detaching an address answers: a workflow, or nothing, all being done at once',
    readings: ['workflow', 'empty'],
  },
  ipMembers: {
    section: 'Endpoints that exist but have no shape here',
    question: 'the names of address and instance in the body of attaching and detaching',
    readings: ['ids', 'words'],
    compat: { words: { attach_ip: { ip: 'address', instance: 'instance' }, detach_ip: { ip: 'address' } } },
  },
  detachPath: {
    section: 'Endpoints that exist but have no shape here',
    question: 'the path of the command that detaches an address',
    readings: ['detach-ip', 'detach'],
    compat: { detach: { detach_ip: { path: '/v1/commands/detach' } } },
  },
  hostnames: {
    section: 'Floating IPs, reverse DNS, DHCP',
    question: 'how a hostname comes back: as it was sent, or in lower case with a trailing dot',
    readings: ['as-sent', 'canonical'],
  },
  keyComments: { section: 'SSH keys', question: 'whether a public key keeps its comment', readings: ['kept', 'dropped'] },
  reverseDns: {
    section: 'Record shapes whose fields are incomplete',
    question: 'how the default reverse DNS of an address stands in its record: as null, as a name, or no reverse DNS stands there at all',
    readings: ['null', 'name', 'hidden'],
  },
  emptyDhcp: {
    section: 'Floating IP and DHCP',
    question: 'what the empty DHCP response is: an object without members, null, or no body',
    readings: ['object', 'null', 'none'],
  },
  clusterInstances: {
    section: 'Instances',
    question: 'whether an instance can be deleted while it is a node of the cluster; the node goes with it',
    readings: ['accept', 'refuse'],
    compat: { refuse: { cluster_instances: 'refuse' } },
  },
  workflowData: { section: 'Workflow', question: 'how the data of a workflow names what it created', readings: ['word-id', 'id', 'none'] },
  firewallQuota: {
    section: 'Limits',
    question: 'what firewall_rules_per_ip counts: the rules of an instance for each of its addresses, or for the instance',
    readings: ['address', 'instance', 'off'],
    compat: { instance: { firewall_quota: 'instance' } },
  },
  ruleForm: {
    section: 'Record shapes whose fields are incomplete',
    question: 'how a rule comes back: as it was sent, or with every default filled in and its ranges normalised',
    readings: ['as-sent', 'filled'],
  },
  firewallCounts: { section: 'Firewall rules', question: 'whether the counts name instances without rules', readings: ['with-rules', 'all'] },
  serviceItems: { section: 'Managed cluster', question: 'whether a list wraps services as a single fetch does', readings: ['plain', 'wrapped'] },
  nodeItems: {
    section: 'Managed cluster',
    question: 'whether nodes are wrapped in lists and by instance, as in a single fetch',
    readings: ['wrapped', 'plain'],
  },
  liveParts: {
    section: 'Managed cluster',
    question: 'the live part of nodes and services: there, there five seconds after they are, there while pods come up for five seconds, or always null',
    readings: ['there', 'late', 'growing', 'null'],
  },
  serviceTargets: { section: 'Managed cluster', question: 'what a target instance of a service must be', readings: ['node', 'instance'] },
  unplacedServices: {
    section: 'Managed cluster',
    question: 'the status of a service that is rolled out while no node takes any of its pods: DEPLOYING until one does, or RUNNING',
    readings: ['deploying', 'running'],
  },
  busyServices: { section: 'Managed cluster', question: 'whether a service in its rollout can be changed or deleted', readings: ['refuse', 'accept'] },
  hostPorts: {
    section: 'Managed cluster',
    question: 'whether a service may take a host port that an app or another service has on an instance',
    readings: ['refuse', 'accept'],
  },
  templateVariables: {
    section: 'App templates and app domains',
    question: 'whether a deployment may set a variable that the template does not have',
    readings: ['accept', 'refuse'],
  },
  domainOfApp: { section: 'App domain', question: 'whether the domain of an app must be under a base domain', readings: ['any', 'base'] },
  busyDediboxes: {
    section: 'Errors',
    question: 'whether a dedibox refuses a command while a workflow on it is under way',
    readings: ['refuse', 'accept'],
  },
  ownerRecord: { section: 'Invite', question: "whether an owner's membership is a record among the invites", readings: ['listed', 'hidden'] },
  secondInvite: {
    section: 'Workspaces, invites, quota',
    question: 'whether an address may be invited again while an invite to it is open',
    readings: ['accept', 'refuse'],
  },
  withoutTotp: {
    section: 'Authentication',
    question: 'what a member without 2FA may do in a workspace with mfa_required: nothing, or all',
    readings: ['nothing', 'all'],
  },
  accountTokens: {
    section: 'Authentication',
    question: 'what of its account an API token may change: the name, or also email, password, 2FA and sessions, up to its deletion',
    readings: ['name', 'all'],
  },
  registrationCoupon: {
    section: 'Account and sign-in',
    question: 'what a registration does with a coupon that cannot be redeemed',
    readings: ['ignore', 'refuse'],
  },
  mailedCodeMs: { section: 'Account and sign-in', question: 'how long a mailed code holds; one that locks the account holds for ever', readings: [86_400_000] },
  lockedSessions: {
    section: 'Other lifecycles that are shown',
    question: 'what becomes of the sessions of an account when it is locked',
    readings: ['kept', 'revoked'],
  },
  unlocking: { section: 'Other lifecycles that are shown', question: 'what unlocks an account', readings: ['password-reset', 'nothing'] },
  lifecycleRateLimit: {
    section: 'Authentication',
    question: 'the tighter limit of the open calls about an account; 0 is a tenth of that of all others',
    readings: [0, 10],
  },
  rateUnitBytes: {
    section: 'Billing and wallet records',
    question: 'how many bytes of memory or storage one unit of a rate is',
    readings: [1_073_741_824, 1_000_000_000],
    least: 1,
  },
  rateUnitBytesSec: {
    section: 'Billing and wallet records',
    question: 'how many bytes per second of bandwidth one unit of a rate is',
    readings: [125_000],
    least: 1,
  },
  planAddresses: {
    section: 'Plan',
    question: 'whether the addresses that come with an instance of a plan are in its rate, or are paid for by the rate cards',
    readings: ['included', 'priced'],
    compat: { priced: { plan_addresses: 'priced' } },
  },
  monthlyCap: {
    section: 'Billing and wallet records',
    question: 'what the cost is capped by: a resource is billed for at most 672 hours of a calendar month, or for all of them',
    readings: ['calendar-month', 'none'],
    excluded: 'cost (cap-aware, micro-USD)',
  },
  suspension: {
    section: 'Other lifecycles that are shown',
    question: 'what suspending a billing subject does beside its metering: its resource is SUSPENDED and offline, or goes on as it is',
    readings: ['offline', 'metering'],
  },
  termination: {
    section: 'Other lifecycles that are shown',
    question: 'what terminating a billing subject does beside its metering: its resource is deleted, or goes on as it is',
    readings: ['deleted', 'metering'],
  },
  emptyWallet: {
    section: 'Billing and wallet records',
    question: 'whether a wallet without credit refuses new instances, disks and addresses',
    readings: ['accept', 'refuse'],
  },
  rateLimit: { section: 'Limits', question: 'requests of one token within the window before 429; 0 is no limit', readings: [0, 300] },
  rateWindowMs: { section: 'Limits', question: 'the window of the rate limit', readings: [60_000] },
  disabledPlans: { section: 'Plans and nodes', question: 'whether a list of plans shows the disabled ones without `disabled`', readings: ['shown', 'hidden'] },
  // New questions stand at the end: what a seed draws for the others stays.
  arrayLists: {
    section: 'Shared pagination',
    question:
      'what a list that is answered as an array makes of `limit` and `page`: it is cut where one of them is sent, since nothing says that a cut one goes on; it is cut like any other, after 50 items where no limit is sent; or it comes whole',
    readings: ['asked', 'paged', 'whole'],
  },
  unknownIds: {
    section: 'Errors',
    question: 'the status of a call whose body names an object by an id that nobody has, or that is in another workspace',
    readings: [404, 400],
    all: true,
  },
  memberInvites: {
    section: 'Workspaces, invites, quota',
    question: 'whether an address can be invited whose user is a member of the workspace already, its owner among them',
    readings: ['accept', 'refuse'],
  },
  addressee: {
    section: 'Invite',
    question: 'where the addressee of an invite sees it before it is accepted: in the list of theirs alone, or by its id, too',
    readings: ['list', 'record'],
  },
  closedInvites: {
    section: 'Invite',
    question:
      'whether invites that can be accepted no more stay in lists: in that of their addressee those that were accepted or have expired, in that of the workspace those that have expired',
    readings: ['listed', 'hidden'],
  },
  membershipVpc: {
    section: 'VPC',
    question: 'whether a membership names its VPC: it does not, or by a summary beside that of the instance',
    readings: ['unnamed', 'named'],
  },
  busyIps: {
    section: 'Errors',
    question: 'whether an address refuses to be attached, detached or named while a workflow on it is under way; where it does not, the last one counts',
    readings: ['refuse', 'accept'],
  },
  sameVpcTwice: {
    section: 'Instances',
    question: 'what the same VPC twice in the body of a create does: it counts once, or is refused',
    readings: ['once', 'refuse'],
  },
  emptyPatch: {
    section: 'Endpoints',
    question: 'whether a PATCH without any body is refused, or changes nothing as one without members does',
    readings: ['refuse', 'accept'],
  },
  listFilters: {
    section: 'Shared pagination',
    question: 'whether filters that take lists are obeyed, or ignored however the list is written',
    readings: ['obeyed', 'ignored'],
    excluded: 'id (integer[])',
  },
} as const satisfies Readonly<Record<string, Assumption>>
