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
  fmt: { summary: 'rewrite manifests in one canonical form', load: async () => (await import('./commands/fmt.ts')).fmtCommand },
  plan: { summary: 'show what would change', load: async () => (await import('./commands/plan.ts')).planCommand },
  apply: { summary: 'carry out what the manifests say', load: async () => (await import('./commands/apply.ts')).applyCommand },
  destroy: { summary: 'destroy everything that is managed', load: async () => (await import('./commands/destroy.ts')).destroyCommand },
  drift: { summary: 'what was changed outside of iac', load: async () => (await import('./commands/drift.ts')).driftCommand },
  status: { summary: 'unfinished operations, and the lock', load: async () => (await import('./commands/status.ts')).statusCommand },
  import: { summary: 'put existing objects under manifests', load: async () => (await import('./commands/import.ts')).importCommand },
  export: { summary: 'write manifests for what is live', load: async () => (await import('./commands/export.ts')).exportCommand },
  output: { summary: 'the outputs of the last apply', load: async () => (await import('./commands/output.ts')).outputCommand },
  show: { summary: 'the state, or a saved plan', load: async () => (await import('./commands/show.ts')).showCommand },
  comment: { summary: 'keep a comment with a plan on a pull or merge request', load: async () => (await import('./commands/comment.ts')).commentCommand },
  graph: { summary: 'the graph of dependencies', load: async () => (await import('./commands/graph.ts')).graphCommand },
  cost: { summary: 'what the manifests cost, and what is live', load: async () => (await import('./commands/cost.ts')).costCommand },
  'state list': { summary: 'the addresses that the state holds', load: async () => (await import('./commands/state/list.ts')).stateListCommand },
  'state show': { summary: 'what is recorded of one resource', load: async () => (await import('./commands/state/show.ts')).stateShowCommand },
  'state mv': { summary: 'give a recorded resource another address', load: async () => (await import('./commands/state/mv.ts')).stateMvCommand },
  'state rm': { summary: 'forget resources; their objects stay', load: async () => (await import('./commands/state/rm.ts')).stateRmCommand },
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
  console: { summary: 'try expressions of the project', load: async () => (await import('./commands/console.ts')).consoleCommand },
  explain: {
    summary: 'what a kind, a field, a word of the language or a code is',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  schema: { summary: 'the JSON Schema of manifests and files', load: async () => (await import('./commands/schema.ts')).schemaCommand },
  get: { summary: 'look at objects of the service', load: async () => (await import('./commands/service/get.ts')).getCommand },
  usage: { summary: 'what resources used and cost in a period', load: async () => (await import('./commands/billing/usage.ts')).usageCommand },
  wallet: { summary: 'balance, credit and movements of a wallet', load: async () => (await import('./commands/billing/wallet.ts')).walletCommand },
  'wallet topup': { summary: 'add paid credit to a wallet (operators)', load: async () => (await import('./commands/billing/topup.ts')).topupCommand },
  'wallet adjust': { summary: 'correct a wallet (operators)', load: async () => (await import('./commands/billing/adjust.ts')).adjustCommand },
  'wallet refund': { summary: 'pay back from a wallet (operators)', load: async () => (await import('./commands/billing/refund.ts')).refundCommand },
  'wallet coupon': {
    summary: 'give a wallet coupon credit (operators)',
    load: async () => (await import('./commands/billing/wallet-coupon.ts')).walletCouponCommand,
  },
  'coupons redeem': { summary: 'redeem a coupon', load: async () => (await import('./commands/billing/redeem.ts')).redeemCommand },
  prices: { summary: 'the rate cards (operators)', load: async () => (await import('./commands/billing/prices.ts')).pricesCommand },
  'prices set': { summary: 'change a rate (operators)', load: async () => (await import('./commands/billing/set-price.ts')).setPriceCommand },
  subjects: {
    summary: 'suspend, resume or end what is billed (operators)',
    load: async () => (await import('./commands/billing/subjects.ts')).subjectsCommand,
  },
  quota: { summary: 'the limits of a workspace, and what is used', load: async () => (await import('./commands/service/quota.ts')).quotaCommand },
  topology: { summary: 'what stands in a workspace, as a drawing', load: async () => (await import('./commands/service/topology.ts')).topologyCommand },
  power: { summary: 'switch an instance or a dedibox on or off', load: async () => (await import('./commands/service/power.ts')).powerCommand },
  redeploy: { summary: 'restart a service of the managed cluster', load: async () => (await import('./commands/service/redeploy.ts')).redeployCommand },
  rollback: { summary: 'put the previous revision of a service back', load: async () => (await import('./commands/service/rollback.ts')).rollbackCommand },
  'dedibox reset-vnc': {
    summary: 'give the console of a dedibox a new token',
    load: async () => (await import('./commands/dedibox/reset-vnc.ts')).dediboxResetVncCommand,
  },
  logs: { summary: 'what services of the managed cluster write', load: async () => (await import('./commands/service/logs.ts')).logsCommand },
  workflows: { summary: 'what the service does and did', load: async () => (await import('./commands/service/workflows.ts')).workflowsCommand },
  metrics: { summary: 'metrics of an instance, as charts, CSV or JSON', load: async () => (await import('./commands/service/metrics.ts')).metricsCommand },
  api: { summary: 'call the API directly', load: async () => (await import('./commands/service/api.ts')).apiCommand },
  login: { summary: 'sign in, and store the session', load: async () => (await import('./commands/session/login.ts')).loginCommand },
  logout: { summary: 'revoke a stored session, and forget it', load: async () => (await import('./commands/session/logout.ts')).logoutCommand },
  whoami: { summary: 'who calls, and what that allows', load: async () => (await import('./commands/session/whoami.ts')).whoamiCommand },
  doctor: { summary: 'whether everything is there that a run needs', load: async () => (await import('./commands/doctor.ts')).doctorCommand },
  'tokens list': { summary: 'the tokens of the caller, or of a workspace', load: async () => (await import('./commands/tokens/list.ts')).tokensListCommand },
  'tokens create': { summary: 'make an API token', load: async () => (await import('./commands/tokens/create.ts')).tokensCreateCommand },
  'tokens revoke': { summary: 'end a token, or every session', load: async () => (await import('./commands/tokens/revoke.ts')).tokensRevokeCommand },
  'invites list': { summary: 'invites to the caller, or to a workspace', load: async () => (await import('./commands/invites/list.ts')).invitesListCommand },
  'invites lookup': { summary: 'what an invite is for', load: async () => (await import('./commands/invites/lookup.ts')).invitesLookupCommand },
  'invites accept': { summary: 'become a member of a workspace', load: async () => (await import('./commands/invites/accept.ts')).invitesAcceptCommand },
  'account register': { summary: 'make an account', load: async () => (await import('./commands/account/register.ts')).accountRegisterCommand },
  'account verify': { summary: 'verify the email of an account', load: async () => (await import('./commands/account/verify.ts')).accountVerifyCommand },
  'account reset': { summary: 'a new password, by a code that is mailed', load: async () => (await import('./commands/account/reset.ts')).accountResetCommand },
  'account password': { summary: 'change the password', load: async () => (await import('./commands/account/password.ts')).accountPasswordCommand },
  'account totp': { summary: 'two-factor authentication on or off', load: async () => (await import('./commands/account/totp.ts')).accountTotpCommand },
  'account lock': {
    summary: 'lock an account after a sign-in by somebody else',
    load: async () => (await import('./commands/account/lock.ts')).accountLockCommand,
  },
  'account delete': { summary: 'delete the account', load: async () => (await import('./commands/account/delete.ts')).accountDeleteCommand },
  sandbox: { summary: 'run the embedded service', load: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommand },
  'sandbox env': { summary: 'the variables for a shell', load: async () => (await import('./commands/sandbox/env.ts')).sandboxEnvCommand },
  completion: { summary: 'completion for a shell', load: async () => (await import('./commands/completion.ts')).completionCommand },
  version: { summary: 'the version', load: async () => (await import('./commands/version.ts')).versionCommand },
})

/** The names that begin with a word, such as `state list` for `state`. */
export function namesBelow(word: string): readonly string[] {
  return Object.keys(commandTable).filter((name) => name.startsWith(`${word} `))
}
