// Runs the program's own files, which were built as CommonJS in functions, each once and from the folder of whoever asks.
import { dirname, join } from 'node:path'
import type { Script } from 'node:vm'
import type { V8Flags } from './v8-flags.ts'

/** Compiles a file, and gives a module of node by its name. */
interface Loading {
  compile(path: string): Script
  builtin(id: string): unknown
}

const noFlags: Pick<V8Flags, 'asStarted'> = { asStarted: (work) => work() }

/**
 * Runs a file and what it asks for, each compiled under the flags that the program was started with, as its first file tells in `flags`; gives those.
 * Throws what compiling throws, and a TypeError for a file that was built otherwise.
 */
export function loadProgram(path: string, { compile, builtin }: Loading): Pick<V8Flags, 'asStarted'> {
  const known = new Map<string, { exports: object }>()
  const asStarted: V8Flags['asStarted'] = (work) => flagsOf(known.get(path)?.exports).asStarted(work)
  function load(file: string): object {
    const before = known.get(file)
    if (before) return before.exports
    const module = { exports: {} }
    known.set(file, module)
    const run: unknown = asStarted(() => compile(file).runInThisContext())
    if (typeof run !== 'function') throw new TypeError(`${file} is no part of this program`)
    const require = (id: string): unknown => (id.startsWith('.') ? load(join(dirname(file), id)) : builtin(id))
    run(module.exports, require, module, file, dirname(file))
    return module.exports
  }
  load(path)
  return { asStarted }
}

function flagsOf(program: object = {}): Pick<V8Flags, 'asStarted'> {
  return 'flags' in program && isFlags(program.flags) ? program.flags : noFlags
}

function isFlags(value: unknown): value is Pick<V8Flags, 'asStarted'> {
  return typeof value === 'object' && value !== null && 'asStarted' in value && typeof value.asStarted === 'function'
}
