// Commands and flags of other tools that hands know: what to type here instead.

const types = (command: string): string => `type \`iac ${command}\``
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
  ...['auth', 'configure', 'signin', 'sign-in'].map((word) => [word, `${types('login')}, or add --sandbox to work without an account`] as const),
  ...['signout', 'sign-out'].map((word) => [word, types('logout')] as const),
  ...['workspace', 'workspaces', 'stack', 'env', 'environment'].map((word) => [word, environments] as const),
  ...['providers', 'provider', 'modules', 'plugin', 'install', 'upgrade'].map((word) => [word, nothingToFetch] as const),
  ['format', types('fmt')],
  ['edit', 'manifests are text files: change them, and `iac plan` shows what follows'],
  ['stop', 'type `iac power ADDRESS shutdown`; that it stays so is a field of its manifest: `iac explain Instance.power`'],
  ['taint', types('apply --replace ADDRESS')],
  ['untaint', types('state ready ADDRESS')],
  ['force-unlock', types('state unlock ID')],
  ['unlock', types('state unlock ID')],
  ['repl', types('console')],
  ['outputs', types('output')],
  ['docs', types('explain')],
  ['man', types('explain')],
  ['describe', `${types('state show ADDRESS')}, or \`iac explain KIND\``],
  ['history', types('state history')],
  ['curl', types('api GET /v1/…')],
  ['dev', types('sandbox')],
  ['emulator', types('sandbox')],
])

/** What to do in the place of a flag that is none here, by the flag. */
export const otherFlags: ReadonlyMap<string, string> = new Map([
  ['--lock', 'whoever changes a state always locks it: --lock-timeout says how long to wait for that'],
])
