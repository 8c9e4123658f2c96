// Runs the program's own files, which were built as CommonJS in functions, each once and from the folder of whoever asks.
import { dirname, join } from 'node:path'
import type { Script } from 'node:vm'

/** Compiles a file, and gives a module of node by its name. */
interface Loading {
  compile(path: string): Script
  builtin(id: string): unknown
}

/** Runs a file and what it asks for. Throws what compiling throws, and a TypeError for a file that was built otherwise. */
export function loadProgram(path: string, { compile, builtin }: Loading): void {
  const known = new Map<string, { exports: object }>()
  function load(file: string): object {
    const before = known.get(file)
    if (before) return before.exports
    const module = { exports: {} }
    known.set(file, module)
    const run: unknown = compile(file).runInThisContext()
    if (typeof run !== 'function') throw new TypeError(`${file} is no part of this program`)
    const require = (id: string): unknown => (id.startsWith('.') ? load(join(dirname(file), id)) : builtin(id))
    run(module.exports, require, module, file, dirname(file))
    return module.exports
  }
  load(path)
}
