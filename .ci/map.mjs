// The architecture page's map: a line for every folder of the sources and of the tests.
import { readdir } from 'node:fs/promises'
import { relative, sep } from 'node:path'

/** What stands in each folder of the sources, along the flow. */
const rooms = {
  base: 'Leaves for all: addresses, diagnostics and their catalogue, exact JSON, the clock, CIDRs, units, files that are ours.',
  'base/files': "Files that are this user's alone: the home folder, the cache folder.",
  'base/program': 'How the program itself starts: compiled code that is kept, flags of V8.',
  'base/words': 'Words for people: articles, a few of many, what was meant by a misspelt name, quoting for a shell.',
  api: 'The provider over HTTP: a call encoded, sent, retried, classified and parsed; lists.',
  'api/calls': 'A call as data, and encoded; what the document leaves open (`compat.ts`).',
  'api/answers': 'What an answer is and means: shapes, bounds, errors and their classes, members that are secret.',
  'api/workflows': 'Watching what the service does, and how often to look.',
  'api/routes': 'Every endpoint as data, with zod schemas for body and answer: what all share, workflows, operations by hand.',
  'api/routes/accounts': 'Accounts, workspaces, invites, tokens, grants.',
  'api/routes/machines': 'Instances, disks, SSH keys, plans, nodes, recipes, Dediboxes.',
  'api/routes/network': 'VPCs, firewall rules, DHCP, floating IPs, BGP.',
  'api/routes/apps': 'Apps and their templates.',
  'api/routes/cluster': 'The managed k3s cluster and its services.',
  'api/routes/billing': 'Bills, wallets, prices, coupons.',
  'api/transport': 'Bytes to and from the service: connections, proxy, throttle, caps.',
  expressions: '`${…}`: parse, check, evaluate with unknown and sensitive values; the table of functions.',
  kinds: 'One frozen definition per kind, its checks beside it, and the registry that lists them.',
  'kinds/definition': 'What a kind is: the interface, the marks of its fields, reading live objects, one spelling per value.',
  project: 'Files to resources: `load.ts` finds everything that is wrong in one go and makes no call.',
  'project/findings': 'What is wrong and where: places, pointers, schema issues in words, each mistake once.',
  'project/files': 'Reading: the file system as loading sees it, globs, `file()`, the budget of work and bytes, turns.',
  'project/yaml': 'A text to plain values with their places; the parse cache; which lines may hold a secret.',
  'project/resolving': 'References and expressions of a spec, and putting in what is known.',
  'project/configuration': '`iac.yaml`: its schema, variables, environments, where the state is.',
  'project/declarations': 'Documents to declared resources: manifests, `for_each`, moved and removed, rules that span resources.',
  state: 'What all backends share: records, journal lines, folding, documents and their upgrades, the `StateStore` and `Lease` interfaces.',
  'state/backends': 'One folder per backend.',
  'state/delivery':
    'What every backend gets around it for a project: when and by what a generation was written, and where a state went that is no longer there.',
  'state/lease': 'What shared backends have in common: a lock that many machines reach, its lease, and writes that go together.',
  'state/backends/postgres': 'Rows in a database: one for each resource and each group of journal lines, fenced by the lock.',
  'state/backends/s3':
    'Objects in a bucket: the state, a lock, a journal in which each line names the one before it, written only where nobody wrote meanwhile.',
  'state/backends/http':
    "One document on a server that speaks OpenTofu's protocol: state, journal, history and the lock's record together, each write known by its stamp.",
  'state/backends/local': 'A file beside a journal and a lock, durable at every step.',
  engine: 'Whole commands: prepare a plan, carry it out in a session, only record, apply a saved plan.',
  'engine/model': 'What every room speaks of: plan, events, run, ledger, live objects, settings.',
  'engine/model/diff': 'What differs: equality, the three-way diff, what is ignored, what is sensitive on either side.',
  'engine/model/graph': 'What comes before what: needs, references, owners, ranks, groups, and what goes with what.',
  'engine/refresh': 'Reading: workspaces, lists, single objects, limits, lookups, and what nobody manages.',
  'engine/plan': 'Facts in, plan out (pure): the plan, its changes and steps, selection, moved.',
  'engine/plan/decide': 'What becomes of each resource: the verdict, why it is replaced, kept, taken over or refused.',
  'engine/plan/checks': 'What a plan is held against (pure): guards, protection, policies, quota, price, health, names.',
  'engine/plan/checks/caller': "What the caller's role, session or token allows.",
  'engine/plan/checks/leaving': 'What goes: what it takes along, what keeps it, and what is left without it.',
  'engine/operation': 'One step on its way: admission, sending, waiting, conflicts, rejections.',
  'engine/recover': 'What an earlier run left open: adoption, orphan workflows.',
  'engine/apply': 'Carrying out: the schedule, making, removing, metadata, taking over, the locked run.',
  'engine/saved': 'A plan from a file: is it whole, does it follow from itself, does it still stand, who signed it.',
  sandbox: 'The whole service in one object, and its HTTP server.',
  'sandbox/request': 'One request: route, caller, scope, body, answer.',
  'sandbox/request/lists': 'Lists: pages, filters, orders.',
  'sandbox/request/log': 'What was asked: the log, events, and what of the service was driven.',
  'sandbox/areas': 'What areas of the API share, and workflows.',
  'sandbox/areas/accounts': 'Accounts, workspaces, members, invites, tokens, grants.',
  'sandbox/areas/machines': 'Instances, disks, SSH keys, plans, nodes, recipes, Dediboxes, metrics.',
  'sandbox/areas/network': 'VPCs, firewall rules, DHCP, floating IPs, BGP.',
  'sandbox/areas/apps': 'Apps and their templates.',
  'sandbox/areas/cluster': 'The managed k3s cluster.',
  'sandbox/areas/billing': 'Wallet, prices, coupons, bills.',
  'sandbox/store': 'Tables, snapshots and the log they are kept in.',
  'sandbox/seed': 'What a service begins with, and catalogues over it.',
  'sandbox/time': 'Its clock, how long things take, workflows.',
  'sandbox/faults': 'Faults that can be switched on, by route and moment.',
  'sandbox/metering': 'What everything costs by the second.',
  'sandbox/people': 'Callers, accounts and their rights.',
  'sandbox/readings': 'The readings of what the document leaves open, and strains beyond it.',
  'sandbox/control': '`/_sandbox`: clock, faults, snapshots, tenants, events.',
  'sandbox/page': "The page's server side.",
  'sandbox/page/client': 'What runs in the browser.',
  'sandbox/page/model': 'What the page shows, as data.',
  cli: 'Words to exit code: the program, the table of commands, failures, generation.',
  'cli/render': 'Data to text, SVG and JSON (pure).',
  'cli/render/billing': 'Costs, usage, wallets, rates and quotas.',
  'cli/render/diagnostics': 'Findings as text and JSON, those that are alike together.',
  'cli/render/text': 'Text that is safe, fits and aligns.',
  'cli/render/plan': 'A plan, block by block.',
  'cli/render/drawing': 'Graphs as pictures: what is folded, where things stand (Graphviz), how they look.',
  'cli/render/formats': 'A report in the forms that forges, tools and dashboards read.',
  'cli/render/formats/page': "A plan's page, part by part.",
  'cli/render/progress': 'An apply while it runs: frame, lines, stream.',
  'cli/arguments': 'Flags and arguments as data, and what is made of them.',
  'cli/surroundings': 'Streams, environment, signals, files of the user: all that comes from outside.',
  'cli/storage': 'Where state and data of a project may lie, checked before use.',
  'cli/storage/aws': "Who calls a bucket: environment, files, web identity, container and machine, in the order of AWS's tools.",
  'cli/sandbox': 'The embedded service in this process: its folder, settings, presets.',
  'cli/account': 'Sessions of people: signing in, storing a session, keeping it alive, and asking for what is secret.',
  'cli/context': 'What a command is and what it is given: the project, its state, the way to the API.',
  'cli/unchanged':
    'Plans and validations that found nothing to change and nothing wrong: what they were made from, looked at again in place of computing them again.',
  'cli/apply': 'Showing a plan, asking, carrying it out, telling of it.',
  'cli/operating': 'Calls that people make outside of an apply: which object is meant, asking, sending, waiting.',
  'cli/operating/given': 'What is given on the command line for such a call: codes, periods, users, filters of lists.',
  'cli/operating/logs': 'Following a log, and where it goes on after its stream was lost.',
  'cli/operating/names': 'What things are called: for completion, and in the place of ids in tables.',
  'cli/export': 'What is live as manifests: read, named, written, folded into `for_each`, and proven to change nothing.',
  'cli/console': 'Expressions at a prompt: names, state and lookups in scope.',
  'cli/documents': 'Schemas, pages and `explain` made from the sources.',
  'cli/documents/pipelines': 'Pipelines for each forge, as `iac init --ci` writes them.',
  'cli/documents/topics': 'The sections of the pages on the language, as data.',
  'cli/forges': 'Comments on GitHub, GitLab and Gitea: where they stand, whose they are, and keeping one of ours.',
  'cli/commands': 'One object per command.',
  'cli/commands/service': 'Looking at the service, and operating what stands there.',
  'cli/commands/session': 'Signing in and out, and who calls.',
  'cli/commands/planning': 'What `iac plan` and `iac drift` do where they compute.',
  'cli/commands/account': 'The commands below `iac account`.',
  'cli/commands/invites': 'The commands below `iac invites`.',
  'cli/commands/tokens': 'The commands below `iac tokens`.',
  'cli/commands/billing': 'Usage, wallets, coupons, rates, and what operators do with them.',
  'cli/commands/dedibox': 'The commands below `iac dedibox`.',
  'cli/commands/sandbox': 'The command that runs the service, seeding it, its environment.',
  'cli/commands/state': 'The commands below `iac state`.',
}

/** Where a test belongs that is not of one unit: those stand beside it. */
const testFolders = {
  architecture: 'The house rules, held against every source file and against made-up ones.',
  bench: 'What is measured: `npm run bench`.',
  builders: 'What tests of several folders begin with; no tests.',
  cli: 'Commands as people and machines call them, in this process and as the built program.',
  conformance: 'Every kind through its whole life, at every reading of what the API leaves open.',
  crash: 'The built program killed, stopped and starved at every effect: real processes, sockets and files.',
  demo: 'What `npm run demo` shows.',
  examples: 'The policies of examples/, each held against what it stops and what it lets pass; their page is made from them.',
  library: 'The package as other projects use it; their guide is made from it.',
  page: "The sandbox's page in a browser.",
  release: 'What is published of a version: its parts, its image, and, built, what is in it as users take it.',
  reliability: 'The catalogue of faults, and the tests that cover each of them.',
  routes: 'Who uses each call of the API, by the sources and by what stories were seen to do, and the page that shows it.',
  sandbox: 'The service as a whole: every route, rule and limit, in process and over HTTP.',
  state: 'One suite over every backend of the state, and what each has of its own, against real servers.',
  stories: 'An afternoon in each area of the API, from the words that are typed to the requests that leave, and what of it the service accepted.',
  scenarios: 'Single stories of the engine: manifests and a service in; plan, requests and state out.',
  simulation: 'Thousands of applies under drawn faults and crashes on a virtual clock: `npm run simulate`.',
}

/** A page's text with its map made anew; ends the program where the tables do not go with the folders. */
export async function withMap(page) {
  const wrong = [
    ...mistakesIn('src', Object.keys(rooms), await foldersOf('src', isSource)),
    ...mistakesIn('test', Object.keys(testFolders), await foldersOf('test', isAny)),
  ]
  if (wrong.length > 0) {
    console.error(wrong.join('\n'))
    process.exit(1)
  }
  const lines = [...linesOf('src', rooms), ...linesOf('test', testFolders)]
  return page.replace(/(<!-- map: [^>]*-->\n)[^]*(<!-- \/map -->)/, (_, begin, end) => `${begin}\n${lines.join('\n')}\n\n${end}`)
}

function linesOf(root, folders) {
  return Object.entries(folders).map(([name, sentence]) => `- \`${root}/${name}/\` ${sentence}`)
}

const isAny = () => true
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.test.ts')

/** The folders that hold files of this sort, by their paths below the root; of tests the first ones alone. */
async function foldersOf(root, isMeant) {
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((one) => one.isFile() && isMeant(one.name))
  const folders = files.map((one) => relative(root, one.parentPath)).map((folder) => (root === 'test' ? folder.split(sep)[0] : folder.replaceAll(sep, '/')))
  return [...new Set(folders)].filter((folder) => folder !== '')
}

/** What to do where the list does not name each of the folders, or another one than those that hold such folders. */
export function mistakesIn(root, listed, folders) {
  const holds = (name) => folders.some((one) => one === name || one.startsWith(`${name}/`))
  return [
    ...folders.filter((one) => !listed.includes(one)).map((one) => `${root}/${one} has no sentence: write one in .ci/map.mjs`),
    ...listed.filter((one) => !holds(one)).map((one) => `${root}/${one} holds nothing: take its sentence out of .ci/map.mjs`),
  ]
}
