// For every command one thing that people get wrong, what they are told, and words that reach a service which takes no token.

export interface BadInput {
  /** Behind the command's name. */
  readonly words: string
  readonly says: string
  /** 3 where none stands. */
  readonly code?: 1 | 4
  /** What reaches the service, where the command asks it anything. */
  readonly refused?: string
  /** Lines on standard input. */
  readonly typed?: string
  /** The same, where the service is reached. */
  readonly stdin?: string
}

const code = '1a2b3c4d5e6f'
const passwords = 'a-long-password-1\na-long-password-2\na-long-password-2\n'
const noEnvironment = { words: '-e nowhere', says: 'no environment "nowhere" is declared' }
const noState = 'there is no state yet'
const noAmount = '"much" is no amount; write US dollars with up to six decimals'
const noService = { words: 'K3sService/nowhere --auto-approve', says: 'neither the state nor the workspace has K3sService/nowhere' }

/** In a project of one VPC, before the first apply. */
export const badInput: Readonly<Record<string, BadInput>> = Object.freeze({
  init: { words: 'main.yaml', says: 'main.yaml is a file, a folder is needed here' },
  validate: { words: '-f nowhere.yaml', says: 'nowhere.yaml cannot be read: it does not exist' },
  fmt: { words: 'nowhere.yaml', says: 'nowhere.yaml cannot be read: it does not exist' },
  plan: { words: '--target Vpc/nowhere', says: '--target Vpc/nowhere fits no resource', refused: '' },
  apply: { words: 'nowhere.plan', says: 'the plan nowhere.plan cannot be read: it does not exist', refused: '--auto-approve' },
  destroy: { words: '--var nothing', says: '--var is written NAME=VALUE', refused: '--auto-approve' },
  drift: { words: '--issue github', says: 'GITHUB_TOKEN is not set', code: 4, refused: '' },
  status: noEnvironment,
  import: { words: 'Vpc/main nowhere', says: '"nowhere" is no id of a Vpc', refused: 'Vpc/main 7' },
  export: { words: '--kind plans', says: 'plans are looked up, not declared', refused: '' },
  output: { words: 'nowhere', says: 'no output is called nowhere' },
  show: { words: 'nowhere.plan', says: 'the plan nowhere.plan cannot be read: it does not exist' },
  comment: { words: 'github', says: '--plan FILE is needed' },
  graph: noEnvironment,
  cost: { words: '--var-file nowhere.yaml', says: 'nowhere.yaml cannot be read: it does not exist', refused: '' },
  'state list': noEnvironment,
  'state show': { words: 'nowhere', says: '"nowhere" is no address; write Kind/name or Kind/name["key"]' },
  'state mv': { words: 'Vpc/nowhere Vpc/here', says: noState },
  'state rm': { words: 'Vpc/nowhere', says: noState },
  'state pull': noEnvironment,
  'state push': { words: 'nowhere.json', says: 'nowhere.json cannot be read: it does not exist' },
  'state unlock': { words: '', says: 'the ID of the lock is missing' },
  'state history': noEnvironment,
  'state restore': { words: '7', says: 'there is no generation 7' },
  'state migrate': { words: '--to nowhere.yaml', says: 'there is no project file nowhere.yaml' },
  'state rekey': { words: '', says: 'the state is not encrypted' },
  'state ready': { words: 'Vpc/nowhere', says: noState },
  console: { words: '', typed: '1 +\n', says: 'unexpected token: the end' },
  explain: { words: 'nowhere', says: 'nowhere is neither a kind, nor a word of the language, nor a code' },
  schema: { words: 'nowhere', says: 'there is no schema of nowhere' },
  get: { words: 'vpcs --plan ryzen-2', says: 'vpcs cannot be listed by --plan', refused: 'vpcs' },
  usage: { words: '--from tomorrow', says: '--from must be a day such as', refused: '' },
  wallet: { words: '--from 7d', says: '--from, --to and --window are of `iac wallet history`', refused: '' },
  'wallet topup': { words: '7 much --auto-approve', says: noAmount, refused: '7 1.00 --auto-approve' },
  'wallet adjust': { words: '7 much --auto-approve', says: noAmount, refused: '7 1.00 --auto-approve' },
  'wallet refund': { words: '7 much --auto-approve', says: noAmount, refused: '7 1.00 --auto-approve' },
  'wallet coupon': { words: '7 much --auto-approve', says: noAmount, refused: '7 1.00 --auto-approve' },
  'coupons redeem': { words: 'NOPE', says: 'coupon not found', code: 1, refused: 'SPRING' },
  prices: { words: 'CPU', says: 'for staff only', code: 4, refused: '' },
  'prices set': { words: 'CPU 1 --auto-approve', says: 'give --rate, --effective-from, or both', refused: 'CPU 1 --rate 1.00 --auto-approve' },
  subjects: { words: 'suspend nobody --auto-approve', says: '"nobody" is no id', refused: 'suspend 7 --auto-approve' },
  quota: { words: '-f main.yaml --parallelism 0', says: '--parallelism must be an integer from 1 to 1000', refused: '' },
  topology: { words: '-o png', says: '--output must be one of tree, json, dot, svg', refused: '' },
  power: { words: 'Vpc/main on', says: 'this is for Instance and Dedibox, not for Vpc', refused: 'Instance/web on' },
  redeploy: { ...noService, refused: 'K3sService/shop --auto-approve' },
  rollback: { ...noService, refused: 'K3sService/shop --auto-approve' },
  'dedibox reset-vnc': { words: 'nowhere', says: 'neither the state nor the workspace has Dedibox/nowhere', refused: 'metal' },
  logs: { words: 'K3sService/shop --since never', says: '--since never: write a duration such as', refused: 'K3sService/shop' },
  workflows: { words: 'nowhere', says: '"nowhere" is no id of a workflow', refused: '' },
  metrics: { words: 'Instance/nowhere', says: 'neither the state nor the workspace has Instance/nowhere', refused: 'Instance/web' },
  api: { words: 'FETCH /v1/workspaces', says: '"FETCH" is no method', refused: 'GET /v1/workspaces' },
  login: {
    words: '--email owner@sandbox.test',
    says: 'the password is asked for on a terminal',
    refused: '--email owner@sandbox.test --password-stdin',
    stdin: passwords,
  },
  logout: { words: '--profile nobody', says: 'no stored profile is called nobody', code: 4 },
  whoami: { words: '--lock-timeout soon', says: '--lock-timeout must be a duration', refused: '' },
  doctor: { words: '--dir nowhere', says: '--dir nowhere is no folder', refused: '' },
  'tokens list': { words: '--workspace nowhere', says: 'no workspace fits; visible: default', refused: '' },
  'tokens create': { words: 'robot --grant NOTHING=READ', says: '--grant NOTHING=READ is no KIND=LEVEL', refused: 'robot --grant INSTANCE=READ' },
  'tokens revoke': { words: '', says: 'name a token, or give --sessions', refused: 'robot --auto-approve' },
  'invites list': { words: '--workspace nowhere', says: 'no workspace fits; visible: default', refused: '' },
  'invites lookup': { words: 'nope', says: 'no open invite has this code', refused: code },
  'invites accept': { words: 'nope', says: 'invite not found', code: 1, refused: code },
  'account register': {
    words: '--name ann --email nobody --password-stdin',
    typed: passwords,
    says: 'the email must be an email address',
    refused: '--name ann --email ann@example.test --password-stdin',
    stdin: passwords,
  },
  'account verify': { words: 'nope', says: 'the code is not recognized', code: 1, refused: code },
  'account reset': {
    words: '--email nobody',
    says: 'the email must be an email address',
    refused: '--email ann@example.test --password-stdin',
    stdin: passwords,
  },
  'account password': { words: '', says: 'the password is asked for on a terminal', refused: '--password-stdin', stdin: passwords },
  'account totp': { words: 'on --no-input', says: 'nothing was sent', refused: 'off', stdin: passwords },
  'account lock': { words: 'nope --auto-approve', says: 'the code is not recognized', code: 1, refused: `${code} --auto-approve` },
  'account delete': { words: '--no-input', says: 'this needs an approval, and nobody may be asked here', refused: '' },
  sandbox: { words: '--reading nothing=1', says: 'no reading is called nothing' },
  'sandbox env': { words: '', says: 'no sandbox runs for this project' },
  completion: { words: 'tcsh', says: 'SHELL must be one of bash, zsh, fish' },
  version: { words: '--parallelism none', says: '--parallelism must be an integer from 1 to 1000' },
})
