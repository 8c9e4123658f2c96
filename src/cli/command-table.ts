// Every command by name, loaded on demand: adding one is its file and one line here.
import type { Command } from './context/command.ts'

export interface Entry {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** The commands in the order of help; a name of two words belongs to the first. */
export const commandTable: Readonly<Record<string, Entry>> = Object.freeze({
  init: { summary: 'write a project file and a first manifest', load: async () => (await import('./commands/init.ts')).initCommand },
  validate: { summary: 'check everything without any call', load: async () => (await import('./commands/validate.ts')).validateCommand },
  plan: { summary: 'show what would change', load: async () => (await import('./commands/plan.ts')).planCommand },
  apply: { summary: 'carry out what the manifests say', load: async () => (await import('./commands/apply.ts')).applyCommand },
  destroy: { summary: 'destroy everything that is managed', load: async () => (await import('./commands/destroy.ts')).destroyCommand },
  drift: { summary: 'what was changed outside of iac', load: async () => (await import('./commands/drift.ts')).driftCommand },
  status: { summary: 'unfinished operations, and the lock', load: async () => (await import('./commands/status.ts')).statusCommand },
  import: { summary: 'put an existing object under a manifest', load: async () => (await import('./commands/import.ts')).importCommand },
  output: { summary: 'the outputs of the last apply', load: async () => (await import('./commands/output.ts')).outputCommand },
  show: { summary: 'the state, or a saved plan', load: async () => (await import('./commands/show.ts')).showCommand },
  graph: { summary: 'the graph of dependencies', load: async () => (await import('./commands/graph.ts')).graphCommand },
  'state list': { summary: 'the addresses that the state holds', load: async () => (await import('./commands/state/list.ts')).stateListCommand },
  'state show': { summary: 'what is recorded of one resource', load: async () => (await import('./commands/state/show.ts')).stateShowCommand },
  'state mv': { summary: 'give a recorded resource another address', load: async () => (await import('./commands/state/mv.ts')).stateMvCommand },
  'state rm': { summary: 'forget a resource; its object stays', load: async () => (await import('./commands/state/rm.ts')).stateRmCommand },
  'state pull': { summary: 'print the state', load: async () => (await import('./commands/state/pull.ts')).statePullCommand },
  'state push': { summary: 'put an edited state in place', load: async () => (await import('./commands/state/push.ts')).statePushCommand },
  'state unlock': { summary: 'break a lock whose holder is gone', load: async () => (await import('./commands/state/unlock.ts')).stateUnlockCommand },
  'state history': {
    summary: 'the generations of the state that are kept',
    load: async () => (await import('./commands/state/history.ts')).stateHistoryCommand,
  },
  'state restore': {
    summary: 'put an earlier generation of the state in place',
    load: async () => (await import('./commands/state/restore.ts')).stateRestoreCommand,
  },
  'state migrate': {
    summary: 'move the state to where another project file says',
    load: async () => (await import('./commands/state/migrate.ts')).stateMigrateCommand,
  },
  'state rekey': {
    summary: 'encrypt everything that is kept of the state anew',
    load: async () => (await import('./commands/state/rekey.ts')).stateRekeyCommand,
  },
  'state ready': { summary: 'take back the mark failed', load: async () => (await import('./commands/state/ready.ts')).stateReadyCommand },
  explain: {
    summary: 'what a kind, a field, a word of the language or a code means',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  schema: { summary: 'the JSON Schema of manifests and files', load: async () => (await import('./commands/schema.ts')).schemaCommand },
  get: { summary: 'look at objects of the service', load: async () => (await import('./commands/get.ts')).getCommand },
  api: { summary: 'call the API directly', load: async () => (await import('./commands/api.ts')).apiCommand },
  sandbox: { summary: 'run the embedded service', load: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand },
  'sandbox env': { summary: 'the variables for a shell', load: async () => (await import('./commands/sandbox/env.ts')).sandboxEnvCommand },
  completion: { summary: 'completion for a shell', load: async () => (await import('./commands/completion.ts')).completionCommand },
  version: { summary: 'the version', load: async () => (await import('./commands/version.ts')).versionCommand },
})

/** The names that begin with a word, such as `state list` for `state`. */
export function namesBelow(word: string): readonly string[] {
  return Object.keys(commandTable).filter((name) => name.startsWith(`${word} `))
}
