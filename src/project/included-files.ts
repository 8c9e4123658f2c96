// What file('path') gives: UTF-8 texts inside of the project, read once and remembered with their hashes.
import { createHash } from 'node:crypto'
import type { Refusal } from '../expressions/evaluate.ts'
import { scalar } from '../expressions/value.ts'
import type { Value } from '../expressions/value.ts'
import { tokenMarkIn } from '../token.ts'
import { decodeUtf8, maxIncludedBytes } from './files.ts'
import type { Files } from './files.ts'
import { quote } from './source.ts'

/** A reader of texts below a folder; hashes of what was read go into `hashes`, by path relative to it. */
export function createIncludes(files: Files, folder: string, hashes: Record<string, string>): (path: string) => Value | Refusal {
  const known = new Map<string, Value | Refusal>()
  return (path) => {
    let found = known.get(path)
    if (!found) known.set(path, (found = include(files, folder, path, hashes)))
    return found
  }
}

function include(files: Files, folder: string, path: string, hashes: Record<string, string>): Value | Refusal {
  const problem = pathProblem(path)
  const read = problem === undefined ? files.read(`${folder}/${path}`, { root: folder, limitBytes: maxIncludedBytes }) : { problem }
  if (read.bytes === undefined) return refuse(path, read.problem)
  const decoded = decodeUtf8(read.bytes, { keepBom: true })
  if (decoded.problem !== undefined) return refuse(path, decoded.problem)
  const mark = tokenMarkIn(decoded.text)
  if (mark !== undefined) return refuse(path, `it holds the control character ${mark}`)
  hashes[path] = createHash('sha256').update(read.bytes).digest('hex')
  return scalar(decoded.text)
}

/** Written so that it means the same on every machine. */
function pathProblem(path: string): string | undefined {
  if (path === '') return 'the path is empty'
  if (/^(?:[\\/]|~|[A-Za-z]:|[A-Za-z]+:\/\/)/.test(path) || path.includes('\\')) return 'a path is relative to the project folder, with / between names'
  return path.split('/').reduce((depth, name) => (depth < 0 ? depth : name === '..' ? depth - 1 : name === '.' || name === '' ? depth : depth + 1), 0) < 0
    ? 'it lies outside of the project'
    : undefined
}

function refuse(path: string, problem: string): Refusal {
  return { kind: 'error', message: `file ${quote(path)} cannot be read: ${problem}` }
}
