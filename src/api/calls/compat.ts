// Settings for what the API's document leaves open: each assumption once, with its default and its other readings.
import * as z from 'zod'
import { parseDuration } from '../../base/units.ts'
import { isDocumented, openMethods, openPattern, pathFault } from './open-path.ts'

const method = <const M extends [string, ...string[]]>(...methods: M) => z.enum(['auto', ...methods]).default('auto')
const mostHours = 6
const duration = (byDefault: string) =>
  z
    .string()
    .refine((text) => (parseDuration(text) ?? Infinity) <= mostHours * 3_600_000, `a duration such as 30s or 2m, of at most ${mostHours}h`)
    .default(byDefault)
const path = z
  .string()
  .superRefine((text, context) => {
    const message = pathFault(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({ pattern: openPattern })
const member = z.string().regex(/^(?!__)\w{1,64}$/)
const commandOf = (where: string, instance: string | null) =>
  z
    .strictObject({
      method: z.enum(openMethods).default('POST').describe('its method'),
      path: path.default(where).describe('its path, with or without {id}, the id of the address'),
      ip: member.nullable().default('ip_id').describe('the member of its body that holds the id of the address; null: none'),
      instance: member.nullable().default(instance).describe('the member of its body that holds the id of the instance; null: none'),
    })
    .refine((one) => !isDocumented(one.method, one.path), { path: ['path'], message: 'a call that the document of the API does not show as another one' })
    // What does not say the address would be a call about something else.
    .refine((one) => one.ip !== null || one.path.includes('{id}'), { path: ['ip'], message: 'the name of a member, unless the path holds {id}' })
    .refine((one) => one.ip === null || one.ip !== one.instance, { path: ['instance'], message: 'another name than that of the address' })
    .prefault({})

/** The table; `describe` says what each setting is for. Unknown keys are errors. */
export const compatSchema = z.strictObject({
  dns_method: method('PUT', 'POST').describe(
    'method that sets reverse DNS; auto tries the first and remembers the other on 405 (or 404, 501 while the GET answers)',
  ),
  dhcp_method: method('PUT', 'PATCH').describe('method that sets DHCP; auto as for dns_method'),
  service_method: method('PUT', 'PATCH').describe('method that updates a k3s service; auto as for dns_method'),
  secret_method: method('PUT', 'PATCH').describe('method that updates a k3s secret; auto as for dns_method'),
  array_query: z
    .enum(['auto', 'repeat', 'comma', 'brackets', 'none'])
    .default('auto')
    .describe('how a list stands in a query; auto repeats, and filters no more in this run once an answer held what was not asked for'),
  page_size: z.int().min(1).max(1000).default(100).describe('items per page; 400 on it falls back to 50, 20, then 10'),
  attach_ip: commandOf('/v1/commands/attach-ip', 'instance_id').describe('the call that attaches a floating IP and the names in its body; null leaves one out'),
  detach_ip: commandOf('/v1/commands/detach-ip', null).describe('the call that detaches a floating IP; with {id} in the path there is no body'),
  cluster_instances: z
    .enum(['accept', 'refuse'])
    .default('accept')
    .describe('whether the service deletes an instance that is a node of the cluster, or refuses to until the node is gone'),
  deleting: z.enum(['gone', 'wait']).default('gone').describe('whether an object in DELETING counts as gone for its own plan'),
  settle_window: duration('30s').describe('how long an unknown create may still arrive before it is sent again; never less than read_grace'),
  read_grace: duration('10s').describe('how long reads may lag behind writes; what was made and shows in none for longer counts as gone, and is made again'),
  busy_retry: duration('2m').describe('how long a 409 is waited out'),
  wrapper: z
    .strictObject({
      workflow: member.default('auto').describe('the member that holds the workflow'),
      resource: member.default('auto').describe('the member that holds the resource'),
    })
    .prefault({})
    .describe('names of the members of a wrapped answer; auto finds them by shape'),
  fields: z
    .record(z.string().regex(/^\w+\.\w+$/), z.string().regex(/^(?:\/[^/]{1,64}){1,16}$/, 'a JSON pointer such as /vlan_tag'))
    .default({})
    .describe('where a field stands in answers: "Vpc.vlan": /vlan_tag'),
  workspace_flags: z
    .strictObject({
      mfa_required: z.string().default('MFA_REQUIRED').describe('the word that says mfa_required'),
      disable_ssh_password: z.string().default('DISABLE_SSH_PASSWORD').describe('the word that says disable_ssh_password'),
    })
    .prefault({})
    .describe("words in a workspace's flags"),
  plan_addresses: z.enum(['included', 'priced']).default('included').describe("whether the two granted addresses are in a plan's rate"),
  firewall_quota: z.enum(['off', 'instance', 'address']).default('off').describe('how firewall_rules_per_ip is counted'),
})

/** `provider.compat` of a project, every default filled in. */
export type Compat = z.output<typeof compatSchema>
