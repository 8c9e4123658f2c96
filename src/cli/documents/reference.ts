// The generated reference under schemas/reference/: kinds, commands, diagnostics, assumptions.
import { compatSchema } from '../../api/compat.ts'
import { catalogue } from '../../catalogue.ts'
import { stringifyJson } from '../../json.ts'
import type { AnyKind } from '../../kinds/kind.ts'
import { assumptions } from '../../sandbox/assumptions.ts'
import { decisions } from '../../sandbox/decisions.ts'
import type { Command } from '../command.ts'
import type { Flags } from '../flags.ts'
import { globalFlags } from '../flags.ts'
import { flagText } from '../parse-command.ts'
import { exampleText, fieldTexts } from './kind-text.ts'

const NOTE = '<!-- Made by `npm run generate`; changes belong into the sources. -->'

/** Every page by its name. */
export function referencePages(kinds: readonly AnyKind[], commands: Readonly<Record<string, Command>>): Readonly<Record<string, string>> {
  return { 'kinds.md': kindsPage(kinds), 'commands.md': commandsPage(commands), 'diagnostics.md': diagnosticsPage(), 'assumptions.md': assumptionsPage() }
}

function kindsPage(kinds: readonly AnyKind[]): string {
  const contents = kinds.map((kind) => `- [${kind.name}](#${kind.name.toLowerCase()}): ${kind.about}`)
  return page('Kinds', [contents.join('\n'), ...kinds.map(kindSection)])
}

function kindSection(kind: AnyKind): string {
  const fields = fieldTexts(kind).map((one) => [code(one.path), one.type, one.about, one.notes.join(', ')])
  const outputs = Object.entries(kind.outputs).map(([name, one]) => [
    code(name),
    one.type,
    one.about,
    [one.sensitive && 'sensitive', one.once && 'known once'].filter(Boolean).join(', '),
  ])
  const examples = kind.examples.map((one) => `${one.title}:\n\n\`\`\`yaml\n${exampleText(kind, one)}\`\`\``)
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
    const words = command.arguments.map((one) => (one.optional ? ` [${one.name}]` : ` ${one.name}`)).join('')
    const examples = command.examples.map((one) => `- \`iac ${one.text}\`: ${one.about}`).join('\n')
    const args = table(
      ['argument', 'about'],
      command.arguments.map((one) => [code(one.name), one.about]),
    )
    return [`## iac ${name}`, `\`iac ${name}${words} [flags]\``, command.about ?? sentence(command.summary), args, flagTable(command.flags), examples]
      .filter((one) => one !== '')
      .join('\n\n')
  })
  return page('Commands', [`## Flags of every command\n\n${flagTable(globalFlags)}`, ...sections])
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
  ])
  return page('Assumptions', [
    "Where the API's document is silent, `provider.compat` in iac.yaml says how the service is to be read.",
    table(['setting', 'for', 'default'], settings),
    '## The sandbox\n\nWhat the sandbox had to choose; the first reading is its default.',
    table(['question', 'section', 'what is open', 'readings'], questions),
    table(
      ['section', 'decision'],
      decisions.map((one) => [one.section, one.decision]),
    ),
  ])
}

function defaultText(name: string): string {
  const all: Readonly<Record<string, unknown>> = compatSchema.parse({})
  return stringifyJson(all[name] ?? null)
}

function page(title: string, sections: readonly string[]): string {
  return `# ${title}\n\n${NOTE}\n\n${sections.join('\n\n')}\n`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  return [rowText(heads), rowText(heads.map(() => '---')), ...rows.map(rowText)].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.map((one) => one.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

function flagTable(flags: Flags): string {
  return table(
    ['flag', 'about'],
    Object.entries(flags)
      .filter(([, flag]) => flag.hidden !== true)
      .map(([name, flag]) => [code(flagText(name, flag)), flag.about]),
  )
}
