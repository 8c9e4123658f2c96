// What work that must be refused is refused with.
import { Failure } from '../../src/base/diagnostic.ts'

/** Exit code, then everything that its diagnostics say, as a text; throws what is no Failure, and where the work succeeds. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Failure)
    return `${error.exitCode} ${error.diagnostics.map(({ code, summary, detail = '', hint = '' }) => `${summary} ${detail} ${hint} (${code})`).join('; ')}`
  throw error ?? new Error('succeeded')
}
