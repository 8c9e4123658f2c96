// The manual as man pages, from the same data as the page of commands: iac(1), and one for each command.
import type { Flag, Flags } from '../arguments/flags.ts'
import { globalFlags } from '../arguments/flags.ts'
import type { Command } from '../context/command.ts'
import { aboutOf, flagText } from '../context/parse-command.ts'
import { environmentVariables } from './environment-variables.ts'

const WIDTH = 80

/** What stands in the head and foot of each page: the version, and its day as YYYY-MM-DD. */
export interface Edition {
  readonly version: string
  readonly day: string
}

const exits: readonly (readonly [string, string])[] = [
  ['0', 'done; nothing unfinished, nothing unknown'],
  ['1', 'an error with no code of its own, or an answer other than `yes`; nothing was changed'],
  ['2', 'there is a difference, with `plan --detailed-exitcode`, `drift` and `fmt --check`'],
  ['3', 'the command line, the manifests or a file that they name are wrong; nothing was changed'],
  ['4', 'authentication or permission'],
  ['5', 'refused by a guard: protection, destroy budget, quota, policy, cost'],
  ['6', 'the saved plan, or the review, no longer fits what is there'],
  ['7', 'locked by another run'],
  ['8', 'incomplete: all is recorded, running again goes on'],
  ['9', 'state, journal, key or plan file is damaged or does not fit; nothing was changed'],
  ['130, 143', 'stopped by SIGINT or SIGTERM; what was under way is recorded'],
]

/** Texts by the names of their files. */
export function manPages(commands: Readonly<Record<string, Command>>, edition: Edition): Readonly<Record<string, string>> {
  const pages = Object.entries(commands).map(([name, command]) => [`${pageName(name)}.1`, commandPage(name, command, edition)] as const)
  return { 'iac.1': mainPage(commands, edition), ...Object.fromEntries(pages) }
}

function mainPage(commands: Readonly<Record<string, Command>>, edition: Edition): string {
  return pageOf('iac', 'infrastructure as code for one cloud provider', edition, [
    ['SYNOPSIS', '.B iac\n.I COMMAND\n.RI [ flags ]'],
    [
      'DESCRIPTION',
      paragraphs(
        'YAML manifests say which servers, disks, networks and addresses there should be; `iac plan` shows what that changes, `iac apply` does it, `iac drift` tells what was changed outside of it. Each command has a page of its own; `iac COMMAND --help` prints the short form.',
      ),
    ],
    [
      'COMMANDS',
      Object.entries(commands)
        .map(([name, { summary }]) => item(`iac ${name}`, summary))
        .join('\n'),
    ],
    ['OPTIONS', options(globalFlags)],
    ['ENVIRONMENT', environmentVariables.map(({ name, about }) => item(name, about)).join('\n')],
    [
      'EXIT STATUS',
      [...exits.map(([code, about]) => item(code, about)), '.PP', wrapped('`iac explain CODE` tells more of an error by the code that stands under it.')].join(
        '\n',
      ),
    ],
  ])
}

function commandPage(name: string, command: Command, edition: Edition): string {
  const words = command.arguments.map((one) => (one.optional ? `[${one.name}]` : `${one.name}${one.many ? ' …' : ''}`)).join(' ')
  const args = command.arguments.map((one) => item(one.name, one.about)).join('\n')
  const globals = Object.fromEntries(Object.entries(globalFlags).filter(([flag]) => ![...(command.without ?? []), ...(command.idle ?? [])].includes(flag)))
  return pageOf(pageName(name), command.summary, edition, [
    ['SYNOPSIS', [`.B iac ${name}`, ...(words === '' ? [] : [`.I ${roff(words)}`]), '.RI [ flags ]'].join('\n')],
    ['DESCRIPTION', paragraphs(command.about ?? `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`)],
    ['ARGUMENTS', args],
    ['OPTIONS', options({ ...command.flags, ...globals })],
    ['EXAMPLES', command.examples.map(({ text, about }) => item(`iac ${text}`, about)).join('\n')],
    ['SEE ALSO', '.BR iac (1)'],
  ])
}

function pageName(command: string): string {
  return `iac-${command.replaceAll(' ', '-')}`
}

function pageOf(name: string, summary: string, { version, day }: Edition, sections: readonly (readonly [string, string])[]): string {
  const parts = sections.filter(([, text]) => text !== '').map(([title, text]) => `.SH ${title}\n${text}\n`)
  return `.TH ${roff(name.toUpperCase())} 1 ${day} "iac ${roff(version)}" "User Commands"\n.SH NAME\n${roff(name)} \\- ${roff(summary)}\n${parts.join('')}`
}

function options(flags: Flags): string {
  return Object.entries<Flag>(flags)
    .map(([name, flag]) => item(flagText(name, flag), aboutOf(flag)))
    .join('\n')
}

/** A term in bold, and what is said of it. */
function item(term: string, about: string): string {
  return `.TP\n.B ${roff(term)}\n${wrapped(about)}`
}

function paragraphs(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(wrapped)
    .join('\n.PP\n')
}

/** A text as roff takes it: no request at the beginning of a line, hyphens that can be copied, code in bold, links by their words. */
export function roff(text: string): string {
  const plain = text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
  const escaped = plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/`([^`]+)`/g, '\\fB$1\\fR')
    .replaceAll(/[^\0-\x7f]/gu, (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`)
  return escaped.replace(/^(?=[.'])/, '\\&')
}

/** The same in lines that editors and mandoc like. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of roff(text).split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(word.replace(/^(?=[.'])/, '\\&'))
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}
