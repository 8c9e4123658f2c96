// The backends that a state may lie in, one row each: its settings in iac.yaml, and how a state is called there.
import * as z from 'zod'
import type { StateSettings } from '../resolving/declared.ts'

const path = z
  .string()
  .min(1)
  .optional()
  .describe('local: the file, inside the project or below the folder that IAC_STATE_DIR names; .iac/state.json by default')
const schema = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}$/)
  .optional()
  .describe('postgres: the schema with its tables, which are made there; iac by default')
const name = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe("postgres: the state's name among those of the schema; the project's by default, which iac.yaml then has to say")
const bucket = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
  .optional()
  .describe('s3: the bucket, which must be there')
const key = z
  .string()
  .max(800)
  .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9_.=-]+(?:\/[A-Za-z0-9_.=-]+)*$/)
  .optional()
  .describe(
    "s3: the state's key; what belongs to it has keys that begin with it; NAME/state.json, after the project, by default; iac.yaml then has to say its name",
  )
const region = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/)
  .optional()
  .describe('s3: the region of the bucket; that of AWS_REGION by default')
const endpoint = z
  .string()
  .regex(/^https?:\/\/[A-Za-z0-9.:[\]-]+\/?$/)
  .optional()
  .describe('s3: the address of a store that is not AWS, https or on loopback; the environment must name the same host')
const path_style = z.boolean().optional().describe('s3: the bucket stands in the path, not before the host; true by default where there is an endpoint')
const encryption = z
  .strictObject({
    keys: z
      .array(z.string().regex(/^env:[A-Za-z_][A-Za-z0-9_]*$/))
      .min(1)
      .max(8)
      .describe(
        'variables of the environment, each as env:NAME, that hold a key: 32 bytes in base64, or a passphrase of at least 16 characters; the first encrypts, all decrypt',
      ),
  })
  .optional()
  .describe('the state, its journal, its history and saved plans are encrypted; on every backend')
const method = z
  .string()
  .regex(/^[A-Z]{1,20}$/)
  .optional()
const url = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s/?#@]+(?:\/[^\s#]*)?$/)
  .optional()
const address = url.describe('http: the URL of the state, https or on loopback; TF_HTTP_ADDRESS by default. User and password never stand in it')
const update_method = method.describe('http: the method that states are written with; POST by default')
const lock_address = url.describe('http: the URL that locks; without it and unlock_address there is no lock')
const lock_method = method.describe('http: the method that locks; LOCK by default, POST for GitLab and Gitea')
const unlock_address = url.describe('http: the URL that unlocks')
const unlock_method = method.describe('http: the method that unlocks; UNLOCK by default, DELETE for GitLab and Gitea')
const journal_address = url.describe('http: the URL of a second document, for the journal; without it the journal stands in the state')

interface Fields {
  readonly path?: string | undefined
  readonly schema?: string | undefined
  readonly name?: string | undefined
  readonly bucket?: string | undefined
  readonly key?: string | undefined
  readonly region?: string | undefined
  readonly endpoint?: string | undefined
  readonly path_style?: boolean | undefined
  readonly address?: string | undefined
  readonly update_method?: string | undefined
  readonly lock_address?: string | undefined
  readonly lock_method?: string | undefined
  readonly unlock_address?: string | undefined
  readonly unlock_method?: string | undefined
  readonly journal_address?: string | undefined
}

interface Row {
  readonly fields: Readonly<Record<string, z.ZodType>>
  /** The settings without which the backend is nowhere. */
  readonly needs: readonly (keyof Fields)[]
  /** The setting that tells states of one backend apart. */
  readonly place: keyof Fields
  /** Whether the place is made of the project's name. */
  readonly fromName: boolean
  /** `suffix` is what an environment adds, `project` that name. */
  settingsOf(fields: Fields, suffix: string | null, project: string): StateSettings
}

/** A row for each backend of `StateSettings`; what opens it stands in `cli/storage/open-store.ts`. */
export const stateBackends = {
  local: {
    fields: { path },
    needs: [],
    place: 'path',
    fromName: false,
    settingsOf: (fields: Fields, suffix: string | null) => ({ backend: 'local' as const, path: withSuffix(fields.path ?? '.iac/state.json', suffix) }),
  },
  postgres: {
    fields: { schema, name },
    needs: [],
    place: 'name',
    fromName: true,
    settingsOf: (fields: Fields, suffix: string | null, project: string): StateSettings => ({
      backend: 'postgres',
      schema: fields.schema ?? 'iac',
      name: `${fields.name ?? project}${suffix === null ? '' : `-${suffix}`}`,
    }),
  },
  s3: {
    fields: { bucket, key, region, endpoint, path_style },
    needs: ['bucket'],
    place: 'key',
    fromName: true,
    settingsOf: (fields: Fields, suffix: string | null, project: string): StateSettings => ({
      backend: 's3',
      bucket: fields.bucket ?? '',
      key: withSuffix(fields.key ?? `${project.replaceAll(/[^A-Za-z0-9_.=-]/g, '-')}/state.json`, suffix),
      region: fields.region,
      endpoint: fields.endpoint,
      pathStyle: fields.path_style,
    }),
  },
  http: {
    fields: { address, update_method, lock_address, lock_method, unlock_address, unlock_method, journal_address },
    needs: [],
    place: 'address',
    fromName: false,
    // The environment may say where it is: what is added to an address is added there.
    settingsOf: (fields: Fields, suffix: string | null): StateSettings => ({
      backend: 'http',
      address: fields.address,
      updateMethod: fields.update_method,
      lockAddress: fields.lock_address,
      lockMethod: fields.lock_method,
      unlockAddress: fields.unlock_address,
      unlockMethod: fields.unlock_method,
      journalAddress: fields.journal_address,
      suffix,
    }),
  },
} as const satisfies Record<StateSettings['backend'], Row>

/** Their names, in the order in which they are told. */
export const backendNames = namesOf(stateBackends)

type SettingName = { [Name in keyof typeof stateBackends]: keyof (typeof stateBackends)[Name]['fields'] }[keyof typeof stateBackends]

/** What `state` holds: the name of a backend, and settings of each. */
export const stateSchema = z.strictObject({
  backend: z.enum(backendNames).optional().describe('where it lies; local, a file, by default'),
  ...stateBackends.local.fields,
  ...stateBackends.postgres.fields,
  ...stateBackends.s3.fields,
  ...stateBackends.http.fields,
  encryption,
} satisfies Record<SettingName | 'backend' | 'encryption', z.ZodType>)

/** Settings of the state: an environment's stand over the project's. */
export type StateFields = z.output<typeof stateSchema>

// An address may hold a password, and a key may stand where its variable is to be named.
const addressSettings: readonly string[] = ['endpoint', 'address', 'lock_address', 'unlock_address', 'journal_address']

/** Whether what is given for a setting is not to be shown; what is no setting may be meant for one of these. */
export function isQuietSetting(name: string): boolean {
  return name === 'encryption' || isAddressSetting(name) || !Object.hasOwn(stateSchema.shape, name)
}

/** Whether a setting is an address, of which a part can be shown. */
export function isAddressSetting(name: string): boolean {
  return addressSettings.includes(name)
}

/** What is said of a setting, or of a backend, that this version does not have. */
export const onlyBackends = `this version keeps the state with the backends ${backendNames.join(', ')} only; known here: ${Object.keys(stateSchema.shape).join(', ')}`

/** The settings that are another backend's. */
export function settingsOfOthers(fields: StateFields): readonly string[] {
  const own = new Set<string>(['backend', 'encryption', ...Object.keys(stateBackends[fields.backend ?? 'local'].fields)])
  return Object.keys(fields).filter((one) => !own.has(one))
}

/** Settings without which a backend is nowhere. */
export function lackingSettings(fields: StateFields): readonly string[] {
  return stateBackends[fields.backend ?? 'local'].needs.filter((one) => fields[one] === undefined)
}

/** The project's settings that count under an environment's own: the lock and the journal of one address are not those of another. */
export function settingsUnder(own: StateFields | undefined, over: StateFields | undefined): StateFields {
  if (over?.address === undefined) return { ...own }
  const { lock_address: _, unlock_address: __, journal_address: ___, ...rest } = own ?? {}
  return rest
}

/** `-NAME` before the extension of the last part of a path. */
export function withSuffix(path: string, name: string | null): string {
  if (name === null) return path
  const slash = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  return dot > slash ? `${path.slice(0, dot)}-${name}${path.slice(dot)}` : `${path}-${name}`
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name))
}
