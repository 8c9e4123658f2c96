// How a file looks: its name, its first line, its size, and what it exports.
import type { SourceFile } from './source-file.ts'

const MAX_LINES = 400
const MAX_KIND_LINES = 200
const MAX_FUNCTION_LINES = 70
const EMPTY_NAMES = ['index', 'util', 'utils', 'helper', 'helpers', 'common', 'misc']

/** Names that are not kebab-case, or say nothing. */
export function nameProblems(path: string): string[] {
  const parts = path.replace(/(?:\.test|\.config|\.d)?\.ts$/, '').split('/')
  return parts.filter((part) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(part) || EMPTY_NAMES.includes(part)).map((part) => `${path}: ${part} is no name for a file`)
}

/** A first line that is not one sentence on the file's duty. */
export function firstLineProblems(file: SourceFile): string[] {
  const [first = '', second = ''] = file.text.split('\n')
  return /^\/\/ \S.{8,}[.?]$/.test(first.startsWith('#!') ? second : first) ? [] : [`${file.path}:1: the first line is no sentence on the duty of the file`]
}

/** Files and functions that are too long to be read in one go. */
export function sizeProblems(file: SourceFile): string[] {
  const most = file.kinds.length > 0 || /^src\/kinds\/.+-checks\.ts$/.test(file.path) ? MAX_KIND_LINES : MAX_LINES
  const tooLong = file.lineCount > most ? [`${file.path}: ${file.lineCount} lines, ${most} are the most`] : []
  const long = file.functions.filter(({ text }) => Number(text) > MAX_FUNCTION_LINES)
  return [...tooLong, ...long.map(({ text, line }) => `${file.path}:${line}: a function of ${text} lines, ${MAX_FUNCTION_LINES} are the most`)]
}

/** Default exports (but for tools that demand one) and files that only pass on what others export. */
export function exportProblems(file: SourceFile): string[] {
  const isLibrary = file.path === 'src/library.ts'
  const defaults = file.path.endsWith('.config.ts') ? [] : file.defaultExports
  return [
    ...defaults.map(({ line }) => `${file.path}:${line}: a default export`),
    ...file.starExports.map(({ line, text }) => `${file.path}:${line}: passes on all of ${text}`),
    ...(file.onlyReExports && !isLibrary ? [`${file.path}: a barrel`] : []),
  ]
}

/** `any`, and notes of work that is left. */
export function leftoverProblems(file: SourceFile): string[] {
  const notes = file.comments.filter(({ text }) => /\b(?:TODO|FIXME|XXX|HACK)\b/.test(text))
  return [...file.anys.map(({ line }) => `${file.path}:${line}: any`), ...notes.map(({ line }) => `${file.path}:${line}: a note of work that is left`)]
}

/** Comments that name a document which does not stand in the repository under that path. */
export function citationProblems(file: SourceFile, isThere: (path: string) => boolean): string[] {
  const cited = file.comments.flatMap(({ text, line }) => Array.from(text.matchAll(/(?<![\w*.])[\w./-]+\.md\b/g), ([path]) => ({ path, line })))
  return cited.filter(({ path }) => !isThere(path)).map(({ path, line }) => `${file.path}:${line}: ${path} is not in the repository`)
}
