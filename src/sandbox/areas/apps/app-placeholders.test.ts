// Placeholders: what each stands for, and what none of them is.
import { expect, test } from 'vitest'
import type { PlaceholderValues } from './app-placeholders.ts'
import { fillPlaceholders, placeholderProblems } from './app-placeholders.ts'

function values(): PlaceholderValues {
  let count = 0
  return {
    hostPort: (name) => (name === 'web' ? 20_001 : undefined),
    containerPort: (name) => (name === 'web' ? 80 : undefined),
    address: (family) => (family === 'IPv4' ? '192.0.2.1' : undefined),
    random: (length) => String((count += 1)).repeat(length),
  }
}

test.each([
  ['plain {text} }} {{', 'plain {text} }} {{'],
  ['{{host_port.web}}/{{container_port.web}}', '20001/80'],
  ['http://{{instance.ip4}}:{{host_port.web}}', 'http://192.0.2.1:20001'],
  ['{{random:2}}-{{random:3}}', '11-222'],
  ['{{random:128}}', '1'.repeat(128)],
])('%s', (text, filled) => {
  expect(fillPlaceholders(text, values())).toBe(filled)
  expect(placeholderProblems(text, values())).toEqual([])
})

test.each([
  ['{{host_port.api}}', 'unresolvable'],
  ['{{container_port.api}}', 'unresolvable'],
  ['{{instance.ip6}}', 'unresolvable'],
  ['{{random:0}}', 'length'],
  ['{{random:129}}', 'length'],
  ['{{random:-1}}', 'length'],
  ['{{random:1.5}}', 'length'],
  ['{{random:x}}', 'length'],
  ['{{random}}', 'unknown'],
  ['{{random:}}', 'unknown'],
  ['{{host_port.}}', 'unknown'],
  ['{{ instance.ip4 }}', 'unknown'],
  ['{{instance.ip5}}', 'unknown'],
  ['{{INSTANCE.IP4}}', 'unknown'],
  ['{{}}', 'unknown'],
  ['{{a\nb}}', 'unknown'],
])('%s is refused as %s, and left as it is', (placeholder, problem) => {
  const text = `before ${placeholder} {{container_port.web}}`
  expect(placeholderProblems(text, values())).toEqual([{ placeholder, problem }])
  expect(fillPlaceholders(text, values())).toBe(`before ${placeholder} 80`)
})
