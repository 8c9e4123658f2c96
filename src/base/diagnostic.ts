// What can be wrong: a code from the catalogue, where it stands, what it says and the way out.
import type { Code, ExitCode, Severity } from './catalogue.ts'
import { catalogue } from './catalogue.ts'

/** A place in a file the user wrote: line and column count from 1, `text` is the line itself (its secrets left out). */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly text?: string | undefined
}

/** One thing to tell the user; texts never hold a sensitive value. */
export interface Diagnostic {
  readonly code: Code
  readonly severity: Severity
  readonly summary: string
  readonly detail?: string | undefined
  readonly position?: Position | undefined
  readonly address?: string | undefined
  readonly hint?: string | undefined
  /** What people call it among others that say the same, where its address does not tell. */
  readonly called?: string | undefined
  /** The command by which somebody who knows settles it, where no further run does; in backquotes, with "or" between two ways. */
  readonly settledBy?: string | undefined
}

/** Ends a command: carries every diagnostic found and the exit code they lead to. */
export class Failure extends Error {
  readonly diagnostics: readonly Diagnostic[]
  readonly exitCode: ExitCode
  constructor(exitCode: ExitCode, diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((one) => one.summary).join('; '))
    this.name = 'Failure'
    this.exitCode = exitCode
    this.diagnostics = diagnostics
  }
}

type Rest = Partial<Omit<Diagnostic, 'code' | 'severity' | 'summary'>>

/** A diagnostic with the severity that its code has in the catalogue. */
export function diagnostic(code: Code, summary: string, rest: Rest = {}): Diagnostic {
  return { code, severity: catalogue[code].severity, summary, ...rest }
}

/** A failure with one diagnostic, at the exit code that its code has in the catalogue. */
export function failure(code: Code, summary: string, rest: Rest = {}): Failure {
  return new Failure(catalogue[code].exit, [diagnostic(code, summary, rest)])
}

/** One diagnostic as machines read it: every member is there, null where it is not known. */
export interface DiagnosticDocument {
  readonly severity: Severity
  readonly code: Code
  readonly summary: string
  readonly detail: string
  readonly address: string | null
  readonly range: { readonly filename: string; readonly start: { readonly line: number; readonly column: number } } | null
  readonly hint: string | null
}

/** A diagnostic in the shape of `validate --json`, of plans and of the stream. */
export function diagnosticDocument(one: Diagnostic): DiagnosticDocument {
  const { severity, code, summary, detail = '', address = null, position, hint = null } = one
  return { severity, code, summary, detail, address, range: rangeOf(position), hint }
}

/** A position as machines read it. */
export function rangeOf(position: Position | undefined): DiagnosticDocument['range'] {
  return position ? { filename: position.file, start: { line: position.line, column: position.column } } : null
}

/** What such a document says; the text of the line is not in it. */
export function diagnosticOf({ severity, code, summary, detail, address, range, hint }: DiagnosticDocument): Diagnostic {
  return {
    code,
    severity,
    summary,
    ...(detail === '' ? {} : { detail }),
    ...(range ? { position: { file: range.filename, ...range.start } } : {}),
    ...(address === null ? {} : { address }),
    ...(hint === null ? {} : { hint }),
  }
}
