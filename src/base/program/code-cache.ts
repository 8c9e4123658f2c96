// Compiled code in the user's own cache folder: one file for each command that starts often, which nobody else can have written.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Script } from 'node:vm'
import { readOwnBytes, removeOlderFiles, replaceOwnFile } from '../files/own-files.ts'
import type { UserId } from '../files/own-files.ts'

/** Compiles files, and keeps what came of it. */
export interface CodeFiles {
  /** A script of the file at a path. Throws what reading throws. */
  compile(path: string): Script
  /** Keeps what was compiled in this run, if any of it is new. Never fails. */
  save(): void
}

/** Where files are read from, and what of them was compiled before they were shipped; the disk and nothing without it. */
export interface CodeSource {
  read(path: string): Buffer
  /** What was compiled of a file, by its name. */
  shipped(name: string): Buffer | undefined
}

/** Where to keep it, undefined for nowhere; `runtime` names the program that compiles, since no other can use it. */
export interface CodePlace {
  readonly folder: string | undefined
  readonly userId: UserId
  readonly command: string
  readonly runtime: string
}

interface Part {
  readonly digest: string
  readonly code: Buffer
}

const LARGEST_BYTES = 64 * 1024 * 1024
const LONGEST_MS = 30 * 24 * 3_600_000
/** Commands with code of their own; what others need is kept together. */
const often = new Set(['apply', 'destroy', 'drift', 'get', 'graph', 'plan', 'sandbox', 'state', 'status', 'validate'])
/** Reading it from the disk would take longer than compiling. */
const short = new Set(['version', '--version', '-V'])

/** Files of code as they were compiled before, where they still say the same. */
export function codeFiles({ folder, userId, command, runtime }: CodePlace, source: CodeSource = onDisk): CodeFiles {
  const path = folder === undefined || short.has(command) ? undefined : join(folder, `${often.has(command) ? command : 'others'}.bin`)
  const kept = path === undefined ? new Map<string, Part>() : readParts(path, userId, runtime)
  const used = new Map<string, { readonly script: Script; readonly digest: string }>()
  let isNew = false
  return {
    compile(file) {
      const bytes = source.read(file)
      const name = basename(file)
      const digest = hash('sha1', bytes)
      const before = kept.get(name)
      const cachedData = before?.digest === digest ? before.code : source.shipped(name)
      const script = new Script(bytes.toString('utf8'), { filename: file, ...(cachedData ? { cachedData } : {}) })
      if (!cachedData || script.cachedDataRejected === true) isNew = true
      used.set(name, { script, digest })
      kept.delete(name)
      return script
    },
    save() {
      if (!isNew || path === undefined) return
      // After the run, so that functions which are compiled when they are first called are among it.
      const now = Array.from(used, ([name, { script, digest }]) => [name, { digest, code: script.createCachedData() }] as const)
      writeParts(path, new Map([...kept, ...now]), runtime)
    },
  }
}

const onDisk: CodeSource = { read: (path) => readFileSync(path), shipped: () => undefined }

/** A line of JSON with the name, digest and size of each part, the line's end, and the parts behind each other. */
function readParts(path: string, userId: UserId, runtime: string): Map<string, Part> {
  const parts = new Map<string, Part>()
  try {
    const content = readOwnBytes(path, userId, LARGEST_BYTES)
    if (!content) return parts
    let at = content.indexOf('\n') + 1
    const head: unknown = JSON.parse(content.toString('utf8', 0, at))
    if (!Array.isArray(head) || head[0] !== runtime || head[1] !== hash('sha1', content.subarray(at))) return parts
    for (const entry of head.slice(2)) {
      const [name, digest, size] = String(entry).split(' ')
      if (name === undefined || digest === undefined) continue
      // A copy, so that each can go once it was used, and does not hold all others.
      parts.set(name, { digest, code: Buffer.from(content.subarray(at, at + Number(size))) })
      at += Number(size)
    }
  } catch {
    // As if nothing had been kept.
  }
  return parts
}

function writeParts(path: string, parts: ReadonlyMap<string, Part>, runtime: string): void {
  try {
    const body = Buffer.concat(Array.from(parts.values(), ({ code }) => code))
    const entries = Array.from(parts, ([name, { digest, code }]) => `${name} ${digest} ${code.length}`)
    const head = Buffer.from(`${JSON.stringify([runtime, hash('sha1', body), ...entries])}\n`)
    if (head.length + body.length > LARGEST_BYTES) return
    replaceOwnFile(path, Buffer.concat([head, body]), { durable: false })
    removeOlderFiles(path, LONGEST_MS)
  } catch {
    // Nothing is lost with it.
  }
}
