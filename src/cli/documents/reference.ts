// The generated reference under schemas/reference/: manifests, expressions, kinds, commands, diagnostics, assumptions.
import { compatSchema } from '../../api/calls/compat.ts'
import { catalogue } from '../../base/catalogue.ts'
import { stringifyJson } from '../../base/json.ts'
import { changeSchema, planSchema } from '../../engine/model/plan-schema.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { controlRoutes } from '../../sandbox/control/control-routes.ts'
import { faultPresets } from '../../sandbox/faults/fault-presets.ts'
import { assumptions, strains } from '../../sandbox/readings/assumptions.ts'
import { decisions } from '../../sandbox/readings/decisions.ts'
import { compatFor } from '../../sandbox/readings/reading-compat.ts'
import type { Flags } from '../arguments/flags.ts'
import { globalFlags } from '../arguments/flags.ts'
import type { Command } from '../context/command.ts'
import { aboutOf, flagText } from '../context/parse-command.ts'
import { controlBodiesSection } from './control-bodies.ts'
import { environmentVariables } from './environment-variables.ts'
import { exampleText, fieldTexts } from './kind-text.ts'
import { expressionsPage, manifestsPage, pipelinePage } from './language-pages.ts'
import { code, page, table } from './markdown.ts'

/** Every page by its name. */
export function referencePages(kinds: readonly AnyKind[], commands: Readonly<Record<string, Command>>): Readonly<Record<string, string>> {
  return {
    'manifests.md': manifestsPage(),
    'expressions.md': expressionsPage(),
    'kinds.md': kindsPage(kinds),
    'commands.md': commandsPage(commands),
    'pipeline.md': pipelinePage(),
    'plan.md': planPage(),
    'diagnostics.md': diagnosticsPage(),
    'assumptions.md': assumptionsPage(),
    'sandbox.md': sandboxPage(),
  }
}

function kindsPage(kinds: readonly AnyKind[]): string {
  const contents = kinds.map((kind) => `- [${kind.name}](#${kind.name.toLowerCase()}): ${kind.about}`)
  return page('Kinds', [contents.join('\n'), ...kinds.map((one) => kindSection(one, kinds))])
}

function kindSection(kind: AnyKind, kinds: readonly AnyKind[]): string {
  const fields = fieldTexts(kind).map((one) => [code(one.path), one.type, one.about, one.notes.join(', ')])
  const outputs = Object.entries(kind.outputs).map(([name, one]) => [
    code(name),
    one.type,
    one.about,
    [one.sensitive && 'sensitive', one.once && 'known once'].filter(Boolean).join(', '),
  ])
  const examples = kind.examples.map((one) => `${one.title}:\n\n\`\`\`yaml\n${exampleText(kinds, kind, one)}\`\`\``)
  const managed = kind.managed ? '' : ' It is looked up, not managed.'
  return [
    `## ${kind.name}`,
    `${kind.about}${managed} Scope: ${kind.scope}. API: ${kind.section}.`,
    table(['field', 'type', 'about', 'notes'], fields),
    table(['output', 'type', 'about', 'notes'], outputs),
    ...examples,
  ]
    .filter((one) => one !== '')
    .join('\n\n')
}

function commandsPage(commands: Readonly<Record<string, Command>>): string {
  const sections = Object.entries(commands).map(([name, command]) => {
    const words = command.arguments.map(({ name, optional, many }) => (optional ? ` [${name}]` : ` ${name}${many ? ' …' : ''}`)).join('')
    const examples = command.examples.map((one) => `- \`iac ${one.text}\`: ${one.about}`).join('\n')
    const args = table(
      ['argument', 'about'],
      command.arguments.map((one) => [code(one.name), one.about]),
    )
    return [`## iac ${name}`, `\`iac ${name}${words} [flags]\``, command.about ?? sentence(command.summary), args, flagTable(command.flags), examples]
      .filter((one) => one !== '')
      .join('\n\n')
  })
  const contents = Object.entries(commands).map(([name, command]) => `- [iac ${name}](#iac-${name.replaceAll(' ', '-')}): ${command.summary}`)
  return page('Commands', [contents.join('\n'), `## Flags of every command\n\n${flagTable(globalFlags)}`, environmentSection(), ...sections])
}

/** What the surroundings say, and who reads what is printed. */
function environmentSection(): string {
  return `## Variables of the environment\n\n${table(
    ['variable', 'about'],
    environmentVariables.map(({ name, about }) => [code(name), about]),
  )}`
}

function planPage(): string {
  return page('Plans', [
    'A plan as `iac plan --json` prints it and `iac plan --out FILE` saves it; [plan.schema.json](../plan.schema.json) says the same to machines. ' +
      'A plan file is carried out from itself alone, so it holds more than people read: what the state will remember, and what the order needs.',
    table(['member', 'about'], memberRows(planSchema.shape)),
    '## A change\n\nThe entries of `changes`, and of `drift` with recorded before and live after.',
    table(['member', 'about'], memberRows(changeSchema.shape)),
  ])
}

function memberRows(shape: Readonly<Record<string, { readonly description?: string | undefined }>>): readonly (readonly string[])[] {
  return Object.entries(shape).map(([name, schema]) => [code(name), schema.description ?? ''])
}

function diagnosticsPage(): string {
  const rows = Object.entries(catalogue).map(([name, one]) => [code(name), one.severity, String(one.exit), one.explanation])
  return page('Diagnostics', ['Each has a stable code; `iac explain CODE` prints the same.', table(['code', 'severity', 'exit', 'meaning'], rows)])
}

function assumptionsPage(): string {
  const settings = Object.entries(compatSchema.shape).map(([name, schema]) => [code(name), schema.description ?? '', code(defaultText(name))])
  const questions = Object.entries(assumptions).map(([name, one]) => [
    code(name),
    one.section,
    one.question,
    one.readings.map((each) => code(String(each))).join(' '),
    one.readings.flatMap((each) => askedText({ [name]: each }) ?? []).join(' '),
  ])
  return page('Assumptions', [
    "Where the API's document is silent, `provider.compat` in iac.yaml says how the service is to be read.",
    table(['setting', 'for', 'default'], settings),
    '## The sandbox\n\nWhat the sandbox had to choose; the first reading is its default.',
    table(['question', 'section', 'what is open', 'readings', 'what they ask of provider.compat'], questions),
    '### Strains\n\nAnswers that the document excludes, for `--strain`: what a client makes of a service that does not keep to it. The first is what the document says; no seed draws another.',
    table(
      ['strain', 'section', 'what is answered', 'strains', "the document's words"],
      Object.entries(strains).map(([name, one]) => [
        code(name),
        one.section,
        one.question,
        one.readings.map((each) => code(String(each))).join(' '),
        one.excluded ?? '',
      ]),
    ),
    '### Decisions',
    table(
      ['section', 'decision'],
      decisions.map((one) => [one.section, one.decision]),
    ),
  ])
}

/** What one reading asks of `provider.compat`; undefined where it asks for nothing. */
function askedText(reading: Readonly<Record<string, string | number>>): string | undefined {
  const asked = compatFor(reading)
  return Object.keys(asked).length === 0 ? undefined : `${Object.values(reading).join()}: ${code(stringifyJson(asked))}`
}

const CATALOGUE = `## What is offered

A file given by \`--catalogue\`, or \`catalogue.yaml\` beside the seed, changes what is known by its name and adds the rest:

\`\`\`yaml
plans:   [{ name: huge, group: RYZEN, cpu: 64, memory: 512GiB, disk: 2TiB, rate: 900000 }]   # micro-USD an hour
images:  [{ name: mine, kind: TEMPLATE, os_name: Mine }]
regions: [{ code: mars-1, groups: [RYZEN], backends: [LOCAL] }]
nodes:   [{ name: rack-1, group: RYZEN, region: mars-1, cores: 64, memory: 512GiB, owner: default }]   # with an owner: of the private cloud of that workspace
prices:  [{ type: CPU, region: mars-1, unit_rate: 2000 }]
quota:   { max_instances: 10, max_vpcs: null }   # null: no limit
\`\`\``

function sandboxPage(): string {
  const rows = controlRoutes.map(({ method, path, about }) => [method, code(`/_sandbox${path}`), about])
  const presets = Object.entries(faultPresets).map(([name, { about }]) => [code(name), about])
  return page('The sandbox', [
    '`iac sandbox` serves the whole API on loopback. What the API itself has no call for stands below `/_sandbox/`: every request carries the control token that `iac sandbox --json` prints, as `x-sandbox-token` or a bearer token, and POST and PUT are `application/json`, also without a body. Nothing that comes from a page of another site is answered.',
    table(['method', 'path', 'what it does'], rows),
    'A tenant is a sandbox of its own, with its own rows, faults, log and clock. Requests reach it at the common address by its token, and below the address that its making answers, where calls without a token and its own control routes work, too. Tenants and saved snapshots last as long as the process.',
    controlBodiesSection(),
    `## Who calls\n\nThere are two accounts, both with the ${code('password')} that is printed: ${code('owner@sandbox.test')} owns the workspace ${code('default')}, and a session of it is the ${code('token')} that is printed; ${code('operator@sandbox.test')} is staff, by the ${code('operator_token')}. What the API leaves to operators and administrators alone (prices, coupons, credit, suspension, ${code('/v1/nodes')}, ${code('/v1/disks')}, ${code('/v1/workflows')}) is called with the latter: ${code('IAC_TOKEN=OPERATOR_TOKEN iac api GET /v1/workflows')}.\n\nTokens, password and every code that the service gives out are drawn from a secret of this sandbox: at random when it starts for the first time, and kept with its data (0600). A restart and a reset leave them as they were told. ${code('--token')} fixes the owner's token for tests, ${code('createSandbox({ token })')} every code. The control token is another one at each start.`,
    CATALOGUE,
    '## Time\n\nThe clock is real, scaled, frozen (it stands until it is advanced), or jumping: whoever repeats a read without anything having changed waits for time, and the clock goes on to what is due next, or shows by time alone. What the sandbox is waiting for itself, such as a delay that was asked for, passes at once.',
    '## Faults\n\nPresets, for `--fault` and `/_sandbox/faults/presets`. What comes by chance is drawn by a seed: a run replays.',
    table(['preset', 'what a caller sees'], presets),
    '## Kept data\n\nWith `--data` every change is written to the folder before the answer leaves, so that it survives the death of the process by any signal; workflows that were running go on. It is not synced to the disk for each answer: a loss of power may take the last of them.',
  ])
}

function defaultText(name: string): string {
  const all: Readonly<Record<string, unknown>> = compatSchema.parse({})
  return stringifyJson(all[name] ?? null)
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function flagTable(flags: Flags): string {
  return table(
    ['flag', 'about'],
    Object.entries(flags).map(([name, flag]) => [code(flagText(name, flag)), aboutOf(flag)]),
  )
}
