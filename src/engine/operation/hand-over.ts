// A value that is told once, written into a file of the project: looked at before anything is made for it, written when it is told.
import { Failure, diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { tokenText } from '../../base/token.ts'
import { deliveryOf } from '../../kinds/definition/delivery.ts'
import type { Delivery } from '../../kinds/definition/delivery.ts'
import type { AnyStep } from '../model/view.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'

/** Throws unless every file that these steps write can be written: what is made for one that cannot would be good for nothing. */
export async function checkFiles({ run }: Work, { address }: Current, steps: readonly AnyStep[]): Promise<void> {
  for (const { call } of steps) {
    const delivery = deliveryOf(call)
    if (!delivery) continue
    try {
      await run.handover.check(delivery.file)
    } catch (error) {
      throw unwritable(address, error, 'nothing was made; name another file, or mend this one, and apply again')
    }
  }
}

/** Writes what the making of an object has told this run; its text stands nowhere else. */
export async function handOver(work: Work, { address }: Current, objectId: string | undefined, { output, file }: Delivery): Promise<void> {
  const value = work.secrets.get(tokenText({ is: 'once', address, id: objectId ?? '', output }))
  const again = 'the next apply makes it anew'
  if (typeof value !== 'string')
    throw new OperationError(
      diagnostic('operation_failed', `${address}: its ${output} is not known any more, ${file} was not written`, { address, hint: again }),
    )
  try {
    await work.run.handover.write(file, value)
  } catch (error) {
    throw unwritable(address, error, again)
  }
}

function unwritable(address: string, error: unknown, hint: string): OperationError {
  const told: Partial<Diagnostic> = error instanceof Failure ? (error.diagnostics[0] ?? {}) : {}
  const why = told.summary ?? (error instanceof Error ? error.message : 'the file cannot be written')
  return new OperationError(diagnostic('file_unwritable', `${address}: ${why}`, { address, detail: told.detail, hint }))
}
