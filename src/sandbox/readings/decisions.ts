// What was decided where the document is silent and cannot be chosen otherwise, for the documentation.

/** What was decided and cannot be chosen otherwise, for the documentation. */
export const decisions: readonly { readonly section: string; readonly decision: string }[] = [
  { section: 'Identifiers', decision: 'a path parameter that is no 64-bit id is 404, as an id that nobody has, to whoever may call' },
  {
    section: 'Shared pagination',
    decision:
      'a list without a documented order is in order of creation; `sort` takes the top-level scalar fields of the record as its list shows it, others are 400, on an empty list too; `id` is taken everywhere, and means the order of making where items show none; `dir` without `sort` changes nothing',
  },
  {
    section: 'Shared pagination',
    decision: 'a list that is answered as an array has no cursors: `after` and `before` are 400; without `sort` it keeps the order that it is described with',
  },
  { section: 'Shared pagination', decision: 'a cursor is opaque and holds for the list and the order it was made in; any other is 400' },
  {
    section: 'Errors',
    decision:
      'field errors are {"errors":[{"field","message"}]}; an unknown query parameter or body member is a 400, as is any member with the name `__proto__`',
  },
  {
    section: 'What the service does',
    decision: 'an instant that is sent may lack seconds, zone or time of day: it is UTC, and the beginning of what it names',
  },
  {
    section: 'Errors',
    decision: 'a call without a body takes an empty object, too, and a query separators with nothing between them',
  },
  { section: 'Errors', decision: 'a known path with a method that no row has is 405 and `Allow` names those it has, an unknown path 404' },
  {
    section: 'Authentication',
    decision:
      'order of refusals: 403 and 401 of the token, 404 of what is not visible, 403 of role and grant, 400 of the body, then the rules of the operation',
  },
  {
    section: 'Authentication',
    decision:
      'a token of a workspace or resource acts as Administrator in that workspace and sees no other; a resource token sees its resource and the workflows on it alone, and no workspace in the list of these; a token of a workspace or resource is looked up with READ, and deleted with WRITE, on WORKSPACE',
  },
  {
    section: 'Authentication',
    decision:
      'where the document names no role for a call, reading needs VIEWER, and changing anything EDITOR: power, deletions and settings of instances, disks, addresses, VPCs, firewall rules, SSH keys, dediboxes, recipes, the cluster, and disable_ssh_password',
  },
  {
    section: 'Authentication',
    decision:
      'a call asks for READ where it only reads, else for WRITE, on the key of what it is about: INSTANCE for instances, their firewall rules, DHCP, metrics, VPC memberships and (documented) SSH keys; DISK, FLOATING_IP, DEDIBOX and APP for theirs; WORKSPACE for workspaces, invites, VPCs, BGP, recipes, the cluster, workflows, usage and the tokens of a workspace; the own account, its wallet and usage, plans, a single node, platform-wide recipes, app templates and estimates ask for none',
  },
  {
    section: 'Workspace',
    decision: 'the topology shows of each kind what the token may list; the usage of a workspace names all that was billed there, since it is about money',
  },
  { section: 'Authentication', decision: 'staff has the level OWNER in every workspace' },
  {
    section: 'Authentication',
    decision:
      'a member without 2FA is 403 in a workspace with mfa_required, accepting an invite there too, and 2FA of its members cannot be turned off (409); staff and tokens of workspaces need none',
  },
  {
    section: 'Account and sign-in',
    decision:
      'an email that is not verified keeps nobody out; asking for a code with an address that nobody has is 202, and no mail; a code is good for one use, the lock code for any number; a code that is unknown, used or expired is 400',
  },
  {
    section: 'Account and sign-in',
    decision:
      'registration makes a workspace `default`; its invite code must fit the email, else 400 for known and new emails alike; a known email leaves invite and coupon as they are',
  },
  {
    section: 'Account and sign-in',
    decision:
      'a new email is confirmed by its code at verify-email, 409 when another account has taken it meanwhile; it counts as verified, and codes sent to the old one end',
  },
  { section: 'Account and sign-in', decision: 'a password reset ends all sessions, as a change of the password does; a wrong old password is 400' },
  {
    section: 'Account and sign-in',
    decision:
      'a deleted account takes along its memberships and every token that it made, those of workspaces too; what it made otherwise stays; the last member of a workspace is not deleted (409)',
  },
  {
    section: 'Account and sign-in',
    decision:
      'setting 2FA up while it is on, confirming what was not begun and turning off what is off are 409, a wrong code is 400; a new setup replaces one that was not confirmed',
  },
  {
    section: 'Workspaces, invites, quota',
    decision:
      'staff may lower or delete the record of an owner, which is above every other member; the workspace, and what it costs, stays with the same owner',
  },
  {
    section: 'Workspaces, invites, quota',
    decision:
      "the code of an invite stands in the answer to its create alone; an invite that has expired or was accepted is 409 when accepted, another's 403, a second membership 409; an owner may leave while others stay",
  },
  { section: 'Token', decision: 'a token of a workspace or resource makes no workspaces and accepts no invites (403)' },
  { section: 'Tokens', decision: 'refreshing is allowed to any caller who holds the session code; a refusal is 400, of a code that nobody has, too' },
  { section: 'Tokens', decision: 'a token of a workspace may name its subject_id, which is that of the workspace, else 400' },
  {
    section: 'Token',
    decision: '`last_used` follows in steps of a minute, so that reads write little; before its first use a token has neither it nor `last_ip`',
  },
  {
    section: 'VPCs',
    decision:
      'the first address of a range is the gateway; members get the lowest free one, and VPCs the lowest free VLAN tag from 100 to 4094, 409 without one',
  },
  {
    section: 'VPCs',
    decision: 'a range may overlap another of the workspace; a second membership of the same pair is 409; a range without a free address is 409',
  },
  {
    section: 'BGP',
    decision:
      'a configuration made without asn has the lowest number from 4200000000 on (private use) that no other has, and one made without max_prefixes allows 10; one prefix more, or a prefix twice, is 409; prefixes need a configuration (404)',
  },
  {
    section: 'Instances',
    decision:
      'a new instance boots from DISK, without UEFI, secure boot, virtio CD and hostname sync, with its firewall on; its disks, addresses and memberships are reserved at once; platform nodes can be seen and targeted by everyone, those of a workspace by it alone',
  },
  {
    section: 'Instances',
    decision:
      'an instance needs machines of its group where it shall stand, one of them as large as itself (400); what runs on a machine already is not counted, so nothing is ever UNPLACED; the boot disk of a plan is LOCAL where the region has that, else what it has',
  },
  {
    section: 'Instances',
    decision:
      'an instance on a node of its workspace stands in PRIVATE_CLOUD, whichever of both was asked for; `storage` is what was asked for whatever became of its disks, with the `disk_id` of those that are still on the instance',
  },
  { section: 'Instances', decision: 'a power cycle leaves an instance online, whatever it was; a second delete of an instance is 409' },
  {
    section: 'Instances',
    decision:
      'metrics are {instance, start, end, step, series: [{name, points: [[time, value]]}]}, at most 10,000 points of each series; they are 0 while the instance was off; an end before the start is 400',
  },
  {
    section: 'Disks',
    decision:
      'a boot disk is not detached (409), can be enlarged, and goes with its instance; an action on a disk whose workflow is under way is 409; a resize counts for the quota from its acceptance on; `usage_pct` stands in `live` while the instance of the disk is online; what is attached is AVAILABLE, and waits for an AVAILABLE instance (409)',
  },
  {
    section: 'SSH keys',
    decision:
      'a key is well-formed when its base64 holds the type in front of it and at least one field more, whole; the keys of the workspace are installed when the create of an instance ends',
  },
  {
    section: 'Floating IPs, reverse DNS, DHCP',
    decision:
      'an address that came with an instance can be detached, and is a floating one from then on; DHCP settings name attached addresses only (409), and lose one that is detached; settings made without `enabled` are enabled; `available=false` filters nothing; IPv6 has no DDoS protection (400, with an instance too); attach-ip and detach-ip need the role EDITOR',
  },
  {
    section: 'Floating IPs, reverse DNS, DHCP',
    decision:
      'addresses in filters compare however they are written; labels of a hostname are letters, digits, underscores and, inside, hyphens, the last of them no number: that would be an address',
  },
  {
    section: 'Firewall rules',
    decision:
      'a rule holds from the answer on, and is gone with the answer to its delete; one whose create or delete is under way is not deleted (409); its ranges are kept as they were sent',
  },
  {
    section: 'Recipes',
    decision:
      'platform-wide recipes can be read with any token and changed by staff alone (403); names need not be unique; a description that was not given is empty, in templates, too',
  },
  {
    section: 'App templates and app domains',
    decision:
      'a name or domain that is taken is 409, only an AVAILABLE instance takes apps (409), and they end with it; null does not supply a variable without a default',
  },
  {
    section: 'App templates and app domains',
    decision:
      'a host port is free when no app has it on the instance with that protocol, and no service of the cluster has it, or may have it again; variables that are left out are not searched for placeholders; domains compare in lower case without a trailing dot',
  },
  {
    section: 'Dediboxes',
    decision:
      'an address is in use when a dedibox, an instance or a workspace has it, however it is written; a record keeps it as it was sent; records come and go with the answer; a power cycle leaves a dedibox online',
  },
  {
    section: 'Managed cluster',
    decision:
      'a second cluster, a second node on an instance, a name that is taken, and a rollback without an earlier revision, or to host ports that are taken by now, are 409; nodes, services and secrets need an ACTIVE cluster to be made (409), change no more while it is removed (409), and are empty lists without one',
  },
  {
    section: 'Managed cluster',
    decision: 'the owner that a cluster names is the summary of its workspace, with the `access_level` of whoever asks',
  },
  {
    section: 'Managed cluster',
    decision:
      'a SPREAD service without targets runs on all nodes, a PINNED one nowhere; a rollback to a secret that is gone is 409; a target whose node is not READY is 409, one that is only switched off is not; more than 1,000 replicas are 400',
  },
  {
    section: 'Managed cluster',
    decision:
      'until a workflow on a service has ended, its deletion too, the secrets and host ports of the revision before it are kept for it (409), since it may come back; an instance becomes no node (409) while it has a host port of a service that runs on all nodes; a rollback to targets that an update could not name now, and a target that is being deleted, are 409',
  },
  {
    section: 'Managed cluster',
    decision:
      'a log line comes every ten seconds, the last 10,000 of a pod are kept; the first names the image that the pod was started with; a pod that does not exist is 404; `follow` is on by its name alone, `true` or `1`; a followed log waits until its pod runs, and ends when it does no more; time does not jump for who follows',
  },
  {
    section: 'Billing, usage, wallet, coupons, rates',
    decision:
      'an estimate is for now; of the rate cards of a region, the one that is narrowed most to a part counts (cpu_model before service_group, family before ddos), unscoped cards for whatever nothing narrows; each part is rounded to whole micro-USD, halves up; a region that is not there and a part without a rate are 400',
  },
  {
    section: 'Billing, usage, wallet, coupons, rates',
    decision:
      "instances, extra disks, floating addresses and dediboxes are billed, each to the owner of its workspace; a boot disk, and what came with an instance, is part of the instance; instances of a plan and dediboxes cost the plan's rate; K3s, apps and the rest cost nothing",
  },
  {
    section: 'Billing, usage, wallet, coupons, rates',
    decision:
      'metered is from the end of the making to the end of the deletion, by the millisecond, online or not; what is FAILED costs nothing, nor does it while it is deleted; costs and minutes are rounded down from the beginning on, so that adjoining periods add up; what has not passed yet is not in a statement; a period without length is 400',
  },
  {
    section: 'Billing, usage, wallet, coupons, rates',
    decision:
      'what was billed stays billed: a rate that is changed, deleted, or made in force since the past holds from then on; an entry with the effective_from of another of its card is 409; the latest view of a card is that of its latest effective_from, even if that is still to come',
  },
  {
    section: 'Billing, usage, wallet, coupons, rates',
    decision:
      'the billing period is the calendar month (UTC); credit that expires first is used first, then the oldest; new credit pays what is owed first; a refund and a negative adjustment take permanent credit first, and beyond it make the balance negative, which is no overage and is paid after it; a user may name their own wallet by `@me` or by their id; what happens at one instant happens in its order; an adjustment by nothing is 400; a payment_ref counts within one wallet, and the amount of its repetition is not looked at',
  },
  {
    section: 'Billing, usage, wallet, coupons, rates',
    decision:
      'the windows of a history are HOUR, DAY, WEEK (from Monday) and MONTH, in UTC, others are 400, as are more than 1,000 segments; the first and the last may be shorter',
  },
  {
    section: 'Billing, usage, wallet, coupons, rates',
    decision:
      'a coupon that a user redeemed before, or that is used up, is 409, an unknown code 404; a code is kept as it was sent; more than 36,500 days of expiry are 400; the flags of a coupon stand among those of the workspaces its user owns',
  },
  {
    section: 'Billing, usage, wallet, coupons, rates',
    decision:
      'a billing subject has the id of its resource; what is suspended, not suspended, terminated, or has a workflow under way (an instance, also on what hangs on it or is on its way to it) is 409 where that matters; the dependents of an instance are the extra disks and floating addresses attached to it; a resumed resource is as online as it was; a terminated one is gone at once',
  },
  { section: 'Limits', decision: 'a create beyond the quota is 403; default quotas stand in the seed' },
  {
    section: 'States and transitions',
    decision:
      'what a create makes is there from its answer on, in a state that comes before AVAILABLE; a failed delete leaves what it found, with what a create or a power action has done meanwhile, or a FAILED resource; a workflow on what has gone meanwhile, or to an instance that has, ends FAILED unless it was to remove it; what goes with an instance that is being deleted is neither detached, enlarged nor named any more (409)',
  },
  {
    section: 'States and transitions',
    decision:
      'what an instance is given (a disk, address or membership, a firewall rule, DHCP settings, the BGP session, an app) wants it AVAILABLE, and so does reverse DNS its address (409); what is taken from it is refused at most while it comes or goes: from FAILED and SUSPENDED ones everything can be taken',
  },
  { section: 'Endpoints', decision: 'a PATCH without members changes nothing; the answer to a change shows it at once' },
  { section: 'BGP', decision: 'a prefix is gone with the answer to its delete: only its withdrawal in the network comes later' },
  { section: 'VPCs', decision: 'a membership is there from the answer on, whenever its interface appears' },
  { section: 'Errors', decision: 'X-Message stands in every refusal of the rules' },
  { section: 'Errors', decision: 'a body of more than 16 MiB is 413, before anything of it is looked at' },
  { section: 'Errors', decision: 'a request that is refused or fails changes nothing but when its token was last used' },
  { section: 'Workflow', decision: 'the started time of a queued workflow is when it was accepted' },
  {
    section: 'Workflow',
    decision:
      'a single workflow can be read with READ on WORKSPACE, or on the key of what it is about (INSTANCE for firewall rules and DHCP settings); lists need WORKSPACE; ids compare without case, and a day in a query is its beginning in UTC',
  },
]
