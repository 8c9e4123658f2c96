// What file('path') gives: UTF-8 texts inside of the project, read once and remembered with their hashes.
import { createHash } from 'node:crypto'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { tokenMarkIn } from '../../base/token.ts'
import type { Refusal } from '../../expressions/evaluate.ts'
import { scalar } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import { quote } from '../findings/source.ts'
import { decodeUtf8, maxIncludedBytes } from './files.ts'
import type { Files } from './files.ts'
import { isHiddenPath } from './hidden-path.ts'

/** What of a project is read, and where it is told. */
interface Place {
  readonly files: Files
  readonly folder: string
  readonly hashes: Record<string, string> // of what was read, by path relative to the folder
  readonly report: (found: Diagnostic) => void
  readonly admit: (units: number) => void
  /** What is sensitive where a file holds it as a whole. */
  readonly secretTexts: ReadonlySet<string>
}

/** A reader of texts below a folder; a file with other names is warned of. */
export function createIncludes(place: Place): (path: string) => Value | Refusal {
  const known = new Map<string, Value | Refusal>()
  return (path) => {
    let found = known.get(path)
    if (!found) known.set(path, (found = include(path, place)))
    return found
  }
}

function include(path: string, { files, folder, hashes, report, admit, secretTexts }: Place): Value | Refusal {
  const problem = pathProblem(path)
  const read = problem === undefined ? files.read(`${folder}/${path}`, { root: folder, limitBytes: maxIncludedBytes }) : { problem }
  if (read.bytes === undefined) return refuse(path, read.problem)
  const decoded = decodeUtf8(read.bytes, { keepBom: true })
  if (decoded.problem !== undefined) return refuse(path, decoded.problem)
  const mark = tokenMarkIn(decoded.text)
  if (mark !== undefined) return refuse(path, `it holds the control character ${mark}`)
  if (read.names !== undefined) report(sharedFiles([path]))
  hashes[path] = createHash('sha256').update(read.bytes).digest('hex')
  admit(decoded.text.length)
  return scalar(decoded.text, secretTexts.has(decoded.text.replace(/^\uFEFF/, '')))
}

/** A warning of files that have other names: those may stand outside of the project, and what is written there shows here. */
export function sharedFiles(paths: readonly string[]): Diagnostic {
  const [first = '', ...rest] = paths.map(quote)
  const what = rest.length === 0 ? `file ${first} has another name` : `${paths.length} files have other names, ${first} among them`
  return diagnostic('advice', `${what} (hard link), which may stand outside of the project`, { hint: 'copy it in place of linking it' })
}

/** Written so that it means the same on every machine. */
function pathProblem(path: string): string | undefined {
  if (path === '') return 'the path is empty'
  if (/^(?:[\\/]|~|[A-Za-z]:|[A-Za-z]+:\/\/)/.test(path) || path.includes('\\')) return 'a path is relative to the project folder, with / between names'
  const depth = path.split('/').reduce((depth, name) => (depth < 0 ? depth : name === '..' ? depth - 1 : name === '.' || name === '' ? depth : depth + 1), 0)
  if (depth < 0) return 'it lies outside of the project'
  return isHiddenPath(path) ? 'dot files and what lies in dot folders are not read' : undefined
}

function refuse(path: string, problem: string): Refusal {
  return { kind: 'error', message: `file ${quote(path)} cannot be read: ${problem}` }
}
