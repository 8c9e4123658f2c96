// Rules of app templates that need no call: the image, ports, and what placeholders in the environment lead to.
import { image as tagged } from '../api/routes/fields.ts'
import type { Problem } from './definition/kind.ts'
import { mapOf } from './definition/live-fields.ts'
import { holdsToken, knownList, knownText } from './definition/token.ts'

type Fields = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{\{(.*?)\}\}/gs
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MOST_RANDOM = 128

/** What is wrong within one template; what a placeholder says is never quoted, since the environment may hold secrets. */
export function checkTemplate(spec: Fields): Problem[] {
  return [...checkImage(spec), ...checkPorts(spec), ...checkEnvironment(spec)]
}

function checkImage({ image }: Fields): Problem[] {
  const text = knownText(image)
  if (text === undefined || tagged.safeParse(text).success) return []
  return [{ path: ['image'], message: `"${text}" is no image with a tag`, hint: 'write it with its tag, as in nginx:1.29' }]
}

function checkPorts({ ports }: Fields): Problem[] {
  const problems: Problem[] = []
  const names = new Set<string>()
  let web: number | undefined
  for (const [index, port] of knownList(ports).entries()) {
    const { name, http } = mapOf(port) ?? {}
    const text = knownText(name)
    if (text !== undefined && !SLUG.test(text))
      problems.push({ path: ['ports', index, 'name'], message: `"${text}" is no name for a port: small letters, digits and single hyphens between them` })
    if (text !== undefined && names.has(text)) problems.push({ path: ['ports', index, 'name'], message: `two ports are called "${text}"` })
    if (text !== undefined) names.add(text)
    if (http === true && web !== undefined) problems.push({ path: ['ports', index, 'http'], message: 'at most one port has http true' })
    if (http === true) web = index
  }
  return problems
}

function checkEnvironment({ environment, ports }: Fields): Problem[] {
  const problems: Problem[] = []
  // Ports that are not known yet may have any name.
  const names = holdsToken(ports) ? undefined : new Set(knownList(ports).map((port) => mapOf(port)?.['name']))
  const keys = new Set<string>()
  for (const [index, entry] of knownList(environment).entries()) {
    const { key, value } = mapOf(entry) ?? {}
    const name = knownText(key)
    if (name !== undefined && keys.has(name)) problems.push({ path: ['environment', index, 'key'], message: 'the key is there twice', safe: true })
    if (name !== undefined) keys.add(name)
    for (const message of placeholderProblems(value, names)) problems.push({ path: ['environment', index, 'value'], message, safe: true })
  }
  return problems
}

/** What the placeholders in a value would fail a deployment for, each once; without `ports` any may be named. Nothing of the value is quoted. */
export function placeholderProblems(value: unknown, ports: ReadonlySet<unknown> | undefined): readonly string[] {
  return [...new Set([...(knownText(value) ?? '').matchAll(PLACEHOLDER)].flatMap(([, word = '']) => wrongWith(word, ports) ?? []))]
}

/** Why a placeholder would fail the deployment; undefined where it would not, as far as the template tells. */
function wrongWith(word: string, ports: ReadonlySet<unknown> | undefined): string | undefined {
  if (word === 'instance.ip4' || word === 'instance.ip6') return undefined
  const [, kind, argument = ''] = /^(host_port\.|container_port\.|random:)(.*)$/s.exec(word) ?? []
  if (kind === undefined)
    return 'a placeholder in it is unknown: there are {{host_port.NAME}}, {{container_port.NAME}}, {{instance.ip4}}, {{instance.ip6}} and {{random:LENGTH}}'
  if (kind !== 'random:') return ports && !ports.has(argument) ? `a placeholder {{${kind}NAME}} in it names no port of the template` : undefined
  const length = /^\d{1,3}$/.test(argument) ? Number(argument) : 0
  return length >= 1 && length <= MOST_RANDOM ? undefined : `the length in a placeholder {{random:LENGTH}} in it is a number from 1 to ${MOST_RANDOM}`
}
