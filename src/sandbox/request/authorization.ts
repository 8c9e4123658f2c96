// Who may call: the rules about tokens, visibility, roles and grants, for every route they hold on (section "Authentication").
import type { Access, Grant } from '../../api/routes/route.ts'
import { hasTotp } from '../people/totp.ts'
import type { RouteName } from '../served-routes.ts'
import { routes } from '../served-routes.ts'
import type { AccessLevel } from '../store/rows.ts'
import type { World } from '../world.ts'
import { nowMs } from '../world.ts'
import { isAccount, isSession, levelIn } from './caller.ts'
import type { Caller, Gate } from './exchange.ts'
import type { GateRule } from './rules.ts'

const RANK: Readonly<Record<AccessLevel, number>> = { VIEWER: 1, EDITOR: 2, ADMINISTRATOR: 3, OWNER: 4 }

/** Whether a level is at least another. */
export function atLeast(level: AccessLevel, needed: AccessLevel): boolean {
  return RANK[level] >= RANK[needed]
}

const names = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(routes, name))
const withAccess = (...accesses: Access[]): RouteName[] => names.filter((name) => accesses.includes(routes[name].access))
const closed = names.filter((name) => routes[name].access !== 'open')
const scoped = withAccess('viewer', 'editor', 'administrator', 'owner')
/** For whom the document says "Editor or above". */
const namesEditor: ReadonlySet<RouteName> = new Set(['getToken', 'listWorkspaceTokens', 'deployApp'])
/** "Write access needs at least WRITE on INSTANCE; reads need READ": nowhere else does it tie a key to calls. */
const namesGrant: ReadonlySet<RouteName> = new Set(['listSshKeys', 'createSshKey', 'getSshKey', 'deleteSshKey'])
const badRequestToUsers = names.filter((name) => ['listRecipes', 'createRecipe', 'listNodes'].includes(name))
const userOfPath = ({ params, caller }: Gate): string => {
  const user = String(params['uid'] ?? params['id'])
  return user === '@me' ? caller.user.id : user
}

const isSelf = (gate: Gate): boolean => userOfPath(gate) === gate.caller.user.id && isAccount(gate.caller)

/** What is asked of the token alone, before anything is looked up. */
export const tokenRules: readonly GateRule[] = [
  {
    id: 'auth.header',
    section: 'Errors',
    quote: 'no Authorization header, or role does not allow the action',
    routes: closed,
    status: 403,
    message: 'no Authorization header',
    broken: ({ code }) => code === undefined,
  },
  {
    id: 'auth.unknown',
    section: 'Errors',
    quote: 'bearer token not recognized, invalid or expired',
    routes: closed,
    status: 401,
    message: 'the token is not recognized',
    broken: ({ code, caller }) => code !== undefined && caller.token === undefined,
  },
  {
    id: 'auth.expired',
    section: 'Errors',
    quote: 'bearer token not recognized, invalid or expired',
    routes: closed,
    status: 401,
    message: 'the token has expired',
    broken: ({ caller, world }) => (caller.token?.expiresAtMs ?? Infinity) <= nowMs(world),
  },
  {
    id: 'auth.session',
    section: 'Authentication',
    quote: 'A request authenticated by an API token receives 403 with the reason `Only login sessions can create tokens`.',
    routes: names.filter(isSessionRoute),
    status: 403,
    message: 'Only login sessions can create tokens',
    broken: ({ caller }) => !isSession(caller),
  },
  {
    id: 'auth.staff-400',
    section: 'Errors',
    quote: 'Also returned to user-scoped tokens on some administrator-only endpoints (recipes search/create, node list)',
    routes: badRequestToUsers,
    status: 400,
    message: 'for administrators only',
    broken: ({ caller }) => !caller.staff,
  },
  {
    id: 'auth.staff',
    section: 'Authentication',
    quote: 'Endpoints labelled operator or administrator only need a staff or system session; a normal token cannot call them.',
    routes: withAccess('staff').filter((name) => !badRequestToUsers.includes(name)),
    status: 403,
    message: 'for staff only',
    broken: ({ caller }) => !caller.staff,
  },
  {
    id: 'auth.self',
    section: 'Tokens',
    quote: 'uid integer or `@me` and must be the caller',
    routes: withAccess('self'),
    status: 403,
    message: 'not your account',
    broken: (gate) => !isSelf(gate) && !(gate.caller.staff && gate.route.session !== true),
  },
  {
    id: 'auth.account-session',
    section: 'Authentication',
    quote: "a token's grants limit the resource kinds it may read (READ) or write (WRITE)",
    assumed: true,
    routes: ['deleteUser', 'changePassword', 'createTotp', 'activateTotp', 'deleteTotp', 'deleteSessions'],
    status: 403,
    message: 'needs a login session',
    broken: ({ world, caller }) => world.readings.accountTokens === 'name' && !isSession(caller),
  },
]

/** What is asked about an object that is there: whether the caller sees it, and what they may do. */
export const scopeRules: readonly GateRule[] = [
  {
    id: 'scope.visible',
    section: 'Errors',
    quote: 'resource missing or not visible to the workspace',
    routes: scoped,
    status: 404,
    message: 'not found',
    broken: (gate) => gate.workspaceId !== undefined && gate.level === undefined && !isAddressed(gate),
  },
  {
    id: 'scope.resource-token',
    section: 'Tokens',
    quote: 'one INSTANCE, DEDIBOX or APP in a workspace',
    routes: scoped,
    status: 404,
    message: 'not found',
    // A path without placeholders names its object in query or body: `brokenScope` asks again.
    // What belongs to no workspace is platform-wide, and is seen by every token.
    broken: ({ world, workspaceId, caller: { token }, params }) =>
      token?.subject === 'RESOURCE' && workspaceId !== undefined && !subjectsOf(world, params).includes(token.subjectId),
  },
  {
    id: 'scope.mfa',
    section: 'Authentication',
    quote: 'A workspace with `mfa_required` true requires every member to have 2FA.',
    assumed: true,
    routes: scoped,
    status: 403,
    message: 'the workspace requires 2FA',
    broken: ({ world, workspaceId, caller }) =>
      world.readings.withoutTotp === 'nothing' &&
      isAccount(caller) &&
      !caller.staff &&
      !hasTotp(caller.user) &&
      world.tables.workspaces.get(workspaceId ?? '')?.mfaRequired === true,
  },
  roleRule('role.editor', 'EDITOR', [...namesEditor]),
  {
    ...roleRule(
      'role.editor-assumed',
      'EDITOR',
      withAccess('editor').filter((name) => !namesEditor.has(name)),
    ),
    assumed: true,
  },
  roleRule('role.administrator', 'ADMINISTRATOR', withAccess('administrator')),
  {
    id: 'recipes.platform',
    section: 'Recipes',
    quote: 'icon, fields optional; administrator only',
    assumed: true,
    routes: ['updateRecipe', 'deleteRecipe'],
    status: 403,
    message: 'platform-wide recipes are changed by administrators only',
    broken: ({ world, params, caller }) => !caller.staff && world.tables.recipes.get(String(params['id']))?.ownerId === null,
  },
  {
    id: 'auth.account',
    section: 'Token',
    quote: 'workspace the token can reach; null for USER-subject tokens',
    assumed: true,
    routes: ['createWorkspace', 'acceptInvite'],
    status: 403,
    message: 'a token of a workspace or resource makes no workspaces and accepts no invites',
    broken: ({ caller }) => !isAccount(caller),
  },
  {
    ...grantRule('grant.missing', [...namesGrant]),
    section: 'SSH keys',
    quote: 'Write access needs at least WRITE on INSTANCE; reads need READ.',
  },
  {
    ...grantRule(
      'grant.assumed',
      names.filter((name) => routes[name].grant !== undefined && !namesGrant.has(name)),
    ),
    assumed: true,
  },
  {
    id: 'grant.token',
    section: 'Authentication',
    quote: "a token's grants limit the resource kinds it may read (READ) or write (WRITE)",
    assumed: true,
    routes: ['getToken', 'deleteToken'],
    status: 403,
    message: 'the grants of the token do not allow this',
    // What the list of a workspace's tokens asks for; a token of a user is in no workspace.
    broken: ({ workspaceId, route, caller }) =>
      workspaceId !== undefined && !isGranted(caller, { resource: 'WORKSPACE', level: route.effect ? 'WRITE' : 'READ' }),
  },
  {
    id: 'auth.valid-session',
    section: 'Billing, usage, wallet, coupons, rates',
    quote: 'code (required); valid session',
    routes: withAccess('session').filter((name) => !isSessionRoute(name)),
    status: 403,
    message: 'needs a login session',
    broken: ({ caller }) => !isSession(caller),
  },
]

/** Whether an account asks for an open invite to its own address, where the readings let it. */
function isAddressed({ world, name, params, caller }: Gate): boolean {
  if (name !== 'getInvite' || world.readings.addressee === 'list' || !isAccount(caller)) return false
  const invite = world.tables.invites.get(params['id'] ?? '')
  return invite?.acceptedById === null && invite.email.toLowerCase() === caller.user.email.toLowerCase()
}

function grantRule(id: string, on: readonly RouteName[]): GateRule {
  return {
    id,
    section: 'Authentication',
    quote: "a token's grants limit the resource kinds it may read (READ) or write (WRITE)",
    routes: on,
    status: 403,
    message: 'the grants of the token do not allow this',
    broken: (gate) => grantsOf(gate).length > 0 && !grantsOf(gate).some((grant) => isGranted(gate.caller, grant)),
  }
}

function roleRule(id: string, needed: AccessLevel, on: readonly RouteName[]): GateRule {
  return {
    id,
    section: 'Scope',
    quote: "Access is checked against the caller's role in the owning workspace: Viewer, Editor, Administrator, Owner",
    routes: on,
    status: 403,
    message: `needs the role ${needed}`,
    broken: ({ level }) => level !== undefined && !atLeast(level, needed),
  }
}

function isSessionRoute(name: RouteName): boolean {
  const row = routes[name]
  return 'session' in row && row.session
}

/** Whether the token has a grant; a session has all. */
export function isGranted(caller: Caller, grant: Grant): boolean {
  if (isSession(caller)) return true
  const level = caller.token?.grants[grant.resource]
  return level === 'WRITE' || (level === 'READ' && grant.level === 'READ')
}

/** What may be followed with READ on the key of what it is about. */
const followed = new Map<string, Grant['resource']>([
  ['instances', 'INSTANCE'],
  ['dhcpSettings', 'INSTANCE'],
  ['firewallRules', 'INSTANCE'],
  ['disks', 'DISK'],
  ['ips', 'FLOATING_IP'],
  ['apps', 'APP'],
  ['dediboxes', 'DEDIBOX'],
])

/** The grants of which a call needs one; a single workflow can be read by whoever may read what it is about, too. */
function grantsOf({ world, name, workspaceId, route: { grant }, params }: Gate): readonly Grant[] {
  // A platform-wide recipe is in no workspace that a token would need READ on.
  if (!grant || (name === 'getRecipe' && workspaceId === undefined)) return []
  const resource = followed.get(world.tables.workflows.get(params['wfid'] ?? '')?.subject.table ?? '')
  return resource ? [grant, { resource, level: 'READ' }] : [grant]
}

/** What a path names: the ids in it, and for a workflow what it is about, so that whoever began it can follow it. */
function subjectsOf({ tables }: World, params: Gate['params']): readonly string[] {
  const workflow = tables.workflows.get(params['wfid'] ?? '')
  return [...Object.values(params), ...(workflow ? [workflow.subject.id, workflow.instanceId ?? ''] : [])]
}

/** The first gate that a call does not pass whose object, with this id, is named in query or body. */
export function brokenScope(gate: Gate, workspaceId: string, id: string): GateRule | undefined {
  const scopedGate = { ...gate, params: { id }, workspaceId, level: levelIn(gate.world, gate.caller, workspaceId) }
  return scopeRules.find((one) => one.routes.includes(gate.name) && one.broken(scopedGate))
}

/** All of them, in the order in which they are asked: the token, what it sees, what it may do. */
export const gateRules: readonly GateRule[] = Object.freeze([...tokenRules, ...scopeRules])
