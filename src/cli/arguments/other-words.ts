// Commands and flags of other tools that hands know: what to type here instead.

const types = (command: string): string => `type \`iac ${command}\``
const environments = 'environments stand in iac.yaml and are chosen with -e NAME'
const alikeAreCounted = 'not needed: what is alike is told once and counted, and --verbose tells all'
const settingsAreRead = 'not needed: iac.yaml is read in every run; `iac state migrate --to FILE` moves a state to other settings'
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
  ['--refresh', 'what is live is always read here: `iac plan` alone takes --refresh=false'],
  ['--input', '--no-input never asks'],
  ['--detailed-exitcode', '`iac plan` alone takes it; `iac drift` ends with 2 anyway where there is a difference'],
  ...['--compact-warnings', '--consolidate-warnings', '--consolidate-errors'].map((flag) => [flag, alikeAreCounted] as const),
  ['--concise', '--quiet shows results and errors only'],
  ['--show-sensitive', 'what is sensitive is never shown: `iac output --raw NAME` prints one output'],
  ...['--state', '--state-out', '--backend-config'].map((flag) => [flag, 'where the state is stands in iac.yaml: see `iac explain state`'] as const),
  ['--backup', 'not needed: earlier states are kept, and `iac state history` lists them'],
  ['--backend', 'not needed: `iac init` and `iac validate` read no state'],
  ...['--upgrade', '--get', '--plugin-dir', '--lockfile', '--from-module'].map((flag) => [flag, `not needed: ${nothingToFetch}`] as const),
  ...['--reconfigure', '--migrate-state', '--force-copy'].map((flag) => [flag, settingsAreRead] as const),
  ['--generate-config-out', `${types('export --out FOLDER')}: it writes manifests for what is live`],
  ['--recursive', 'not needed: a folder is read with all that is below it'],
  ...['--list', '--write', '--diff'].map((flag) => [flag, '`iac fmt --check` names the files and writes nothing; `iac plan` shows what would change'] as const),
  ...['--force', '--yes'].map((flag) => [flag, 'where iac asks, --auto-approve goes on without the question'] as const),
  ['--dry-run', `${types('plan')}: it shows what would change, and changes nothing`],
  ['--stack', environments],
])

/** What of them says no more than what is so here, behind the dashes; without a value it is true. */
export const soAnyway: ReadonlySet<string> = new Set(['lock=true', 'refresh=true', 'backend=true', 'get=true', 'upgrade=false'])
