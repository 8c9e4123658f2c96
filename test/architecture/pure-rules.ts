// What pure places and all but main.ts keep away from: time, chance, waiting, the process.
import type { Found, SourceFile } from './source-file.ts'

const PURE_PLACES = [
  /^src\/engine\/model\/(?:diff|graph)\//,
  /^src\/engine\/model\/(?:plan-data|view)\.ts$/,
  /^src\/engine\/plan\//,
  /^src\/engine\/apply\/schedule\.ts$/,
  /^src\/cli\/render\//,
  /^src\/expressions\//,
  /^src\/base\/words\//,
  /^src\/base\/(?:json|cidr|units|address|diagnostic|catalogue|public-key)\.ts$/,
]
const IMPURE_NAMES = ['Date', 'Promise', 'performance', 'fetch', 'crypto', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']
const IMPURE_MODULES =
  /^(?:node:)?(?:fs|child_process|timers|http|https|http2|dns|os|worker_threads|perf_hooks|readline|stream|cluster|tls|dgram)(?:\/|$)|^undici(?:\/|$)/
const RANDOM = /^(?:\*|default|random.*|webcrypto|subtle|getRandomValues)$/

export function isPurePlace(path: string): boolean {
  return !path.endsWith('.test.ts') && PURE_PLACES.some((place) => place.test(path))
}

/** Whatever makes a pure file depend on more than its arguments. */
export function pureProblems(file: SourceFile): string[] {
  if (!isPurePlace(file.path)) return []
  const modules = file.imports.filter(
    ({ text, names }) => IMPURE_MODULES.test(text) || (/^(?:node:)?crypto$/.test(text) && names.some((name) => RANDOM.test(name))),
  )
  const names = file.names.filter(({ text }) => IMPURE_NAMES.includes(text))
  return [...file.asynchronous, ...file.impure, ...names, ...modules].map((one) => say(file, one, 'in a pure file'))
}

/** `process` anywhere but in main.ts, and in what launches it. */
export function processProblems(file: SourceFile): string[] {
  if (['src/main.ts', 'src/launch.ts', 'src/launch-executable.ts'].includes(file.path) || !file.path.startsWith('src/') || file.path.endsWith('.test.ts'))
    return []
  const uses = [...file.names.filter(({ text }) => text === 'process'), ...file.imports.filter(({ text }) => /^(?:node:)?process$/.test(text))]
  return uses.map((one) => say(file, one, 'outside of main.ts'))
}

function say(file: SourceFile, { text, line }: Found, where: string): string {
  return `${file.path}:${line}: ${text} ${where}`
}
