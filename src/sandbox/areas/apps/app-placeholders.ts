// Placeholders in the environment of an app: `{{WORD}}`, resolved once when the app is deployed (section "App templates and app domains").

/** What the words stand for: undefined where the reference leads nowhere. */
export interface PlaceholderValues {
  hostPort(name: string): number | undefined
  containerPort(name: string): number | undefined
  address(family: 'IPv4' | 'IPv6'): string | undefined
  /** Another one on every call. */
  random(length: number): string
}

/** What is wrong with a placeholder. */
export type PlaceholderProblem = 'unknown' | 'unresolvable' | 'length'

const PLACEHOLDER = /\{\{(.*?)\}\}/gs
const MOST_RANDOM = 128

/** The placeholders of a text that have no value, each with its reason. */
export function placeholderProblems(
  text: string,
  values: PlaceholderValues,
): readonly { readonly placeholder: string; readonly problem: PlaceholderProblem }[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([placeholder, word = '']) => {
    const { problem } = resolved(word, values)
    return problem === undefined ? [] : [{ placeholder, problem }]
  })
}

/** The text with every placeholder replaced that has a value. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (placeholder, word: string) => resolved(word, values).value ?? placeholder)
}

interface Resolved {
  readonly value?: string
  readonly problem?: PlaceholderProblem
}

function resolved(word: string, values: PlaceholderValues): Resolved {
  if (word === 'instance.ip4') return referred(values.address('IPv4'))
  if (word === 'instance.ip6') return referred(values.address('IPv6'))
  const [, kind, argument = ''] = /^(host_port\.|container_port\.|random:)(.+)$/s.exec(word) ?? []
  if (kind === 'host_port.') return referred(values.hostPort(argument))
  if (kind === 'container_port.') return referred(values.containerPort(argument))
  return kind === undefined ? { problem: 'unknown' } : randomOf(argument, values)
}

function referred(value: string | number | undefined): Resolved {
  return value === undefined ? { problem: 'unresolvable' } : { value: String(value) }
}

function randomOf(argument: string, values: PlaceholderValues): Resolved {
  const length = /^\d{1,4}$/.test(argument) ? Number(argument) : 0
  return length >= 1 && length <= MOST_RANDOM ? { value: values.random(length) } : { problem: 'length' }
}
