// The forms that reports are shown in, and which of them a command has something for.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Graphviz } from '../render/drawing/layout.ts'
import type { Renderer, Subject } from '../render/formats/report.ts'
import { noColours } from '../render/text/palette.ts'
import { breakCommands } from '../render/text/runner-commands.ts'

export interface Format {
  /** The subjects that it has something for. */
  readonly of: readonly Subject[]
  readonly about: string
  /** Loaded when it is asked for: few runs need more than one. */
  readonly load: () => Promise<Renderer>
  /** Lines that the runner of a pipeline is meant to carry out; all that is foreign in them is escaped. */
  readonly commands?: true
}

const everything = ['plan', 'drift', 'validate'] as const
const plans = ['plan'] as const
const live = ['plan', 'drift'] as const

const byName: Readonly<Record<string, Format>> = {
  text: { of: everything, about: 'for people', load: async () => (report) => breakCommands(report.text(noColours)) },
  json: { of: everything, about: 'the machine format', load: async () => (await import('../render/formats/json.ts')).jsonText },
  'terraform-json': {
    of: ['plan'],
    about: "Terraform's plan JSON (format_version 1.2), for policies and comments that are written for it",
    load: async () => (await import('../render/formats/terraform-json.ts')).terraformJson,
  },
  gitlab: {
    of: ['plan'],
    about: "the numbers of GitLab's merge request widget (artifacts:reports:terraform)",
    load: async () => (await import('../render/formats/gitlab.ts')).gitlab,
  },
  codequality: {
    of: everything,
    about: "findings as GitLab's code quality reports",
    load: async () => (await import('../render/formats/codequality.ts')).codequality,
  },
  markdown: {
    of: everything,
    about: 'a comment of at most 65,000 characters, the most dangerous first',
    load: async () => (await import('../render/formats/markdown.ts')).markdown,
  },
  github: {
    of: everything,
    about: 'annotations, as the runner of GitHub Actions takes them',
    load: async () => (await import('../render/formats/github.ts')).github,
    commands: true,
  },
  sarif: { of: everything, about: 'findings as SARIF 2.1.0, for code scanning', load: async () => (await import('../render/formats/sarif.ts')).sarif },
  junit: { of: everything, about: "tests in JUnit's XML, one for each resource", load: async () => (await import('../render/formats/junit.ts')).junit },
  openmetrics: {
    of: everything,
    about: 'gauges for Prometheus: changes, drift, coverage, cost, quota',
    load: async () => (await import('../render/formats/openmetrics.ts')).openmetrics,
  },
  dotenv: { of: live, about: 'variables for a later job', load: async () => (await import('../render/formats/dotenv.ts')).dotenv },
  html: {
    of: plans,
    about: 'a page to look at, in one file',
    load: async () => (await import('../render/formats/html.ts')).planHtml(await allKinds(), await graphviz()),
  },
  svg: {
    of: plans,
    about: 'the graph of what changes, as a picture',
    load: async () => (await import('../render/formats/plan-graph.ts')).planSvg(await allKinds(), await graphviz()),
  },
  mermaid: {
    of: plans,
    about: 'the same graph, as forges draw it in comments',
    load: async () => (await import('../render/formats/plan-graph.ts')).planMermaid(await allKinds()),
  },
  dot: { of: plans, about: 'the same graph, for Graphviz', load: async () => (await import('../render/formats/plan-graph.ts')).planDot(await allKinds()) },
  infracost: {
    of: ['plan'],
    about: "the price in the shape of Infracost's output",
    load: async () => (await import('../render/formats/infracost.ts')).infracost,
  },
}

async function allKinds(): Promise<readonly AnyKind[]> {
  return (await import('../../kinds/registry.ts')).kinds
}

async function graphviz(): Promise<Graphviz> {
  const { loadGraphviz } = await import('../surroundings/graphviz.ts')
  const layOut = await loadGraphviz()
  return (dot) => layOut(dot, 'json')
}

/** The flag of a command whose report is about something. */
export function formatFlag(subject: Subject) {
  const names = formatsOf(subject)
  return { type: 'list', value: 'F[=FILE]', completes: names, about: `how it is shown: ${names.join(', ')}; to standard output or a file` } as const
}

/** All formats, in the order of the documentation. */
export const formats: ReadonlyMap<string, Format> = new Map(Object.entries(byName))

/** The names of the formats that a subject has. */
export function formatsOf(subject: Subject): readonly string[] {
  return [...formats].flatMap(([name, { of }]) => (of.includes(subject) ? [name] : []))
}
