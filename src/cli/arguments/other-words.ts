// Commands of other tools that hands know: what to type here instead.

const types = (command: string): string => `type \`iac ${command}\``
const format = 'manifests are plain YAML: any formatter of your editor fits; `iac validate` checks them'
const credentials = 'nobody signs in here: set IAC_BASE_URL and IAC_TOKEN, or add --sandbox to work without an account'
const environments = 'environments stand in iac.yaml and are chosen with -e NAME'
const nothingToFetch = 'there is nothing to fetch: kinds and the sandbox are built in'

/** What to type in the place of a word that is no command here, by the word. */
export const otherWords: ReadonlyMap<string, string> = new Map([
  ...['up', 'deploy', 'run', 'update', 'converge', 'sync'].map((word) => [word, types('apply')] as const),
  ...['preview', 'diff', 'what-if', 'changes'].map((word) => [word, types('plan')] as const),
  ...['down', 'delete', 'remove', 'rm', 'teardown'].map((word) => [word, `${types('destroy')}; one resource goes with --target ADDRESS`] as const),
  ...['refresh', 'reconcile'].map((word) => [word, `${types('apply --refresh-only')}, or \`iac drift\` to look only`] as const),
  ...['lint', 'check', 'test', 'synth', 'build'].map((word) => [word, types('validate')] as const),
  ...['ls', 'list', 'resources'].map((word) => [word, `${types('state list')}; \`iac get KIND\` lists what is live`] as const),
  ...['new', 'create', 'start'].map((word) => [word, types('init')] as const),
  ...['login', 'logout', 'auth', 'configure'].map((word) => [word, credentials] as const),
  ...['workspace', 'workspaces', 'stack', 'env', 'environment'].map((word) => [word, environments] as const),
  ...['providers', 'provider', 'modules', 'plugin', 'install', 'upgrade'].map((word) => [word, nothingToFetch] as const),
  ...['fmt', 'format'].map((word) => [word, format] as const),
  ['stop', 'whether a server runs is a field of its manifest: see `iac explain Instance.power`'],
  ['taint', types('apply --replace ADDRESS')],
  ['untaint', types('state ready ADDRESS')],
  ['force-unlock', types('state unlock ID')],
  ['unlock', types('state unlock ID')],
  ['console', 'expressions are tried in an output of iac.yaml, with `iac plan`'],
  ['outputs', types('output')],
  ['docs', types('explain')],
  ['man', types('explain')],
  ['describe', `${types('state show ADDRESS')}, or \`iac explain KIND\``],
  ['history', types('state history')],
  ['rollback', `put the earlier manifests back and ${types('apply')}; \`iac state restore\` restores the state alone`],
  ['curl', types('api GET /v1/…')],
  ['dev', types('sandbox')],
  ['emulator', types('sandbox')],
])
