// Whatever was thrown, as a failure with diagnostics and an exit code: the user's, the provider's, or ours.
import { ApiError } from '../../api/calls/call.ts'
import { InvalidRequest, UnreachableError } from '../../api/calls/failed-call.ts'
import { tellsOfProxy } from '../../api/transport/transport-error.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, Failure, failure } from '../../base/diagnostic.ts'
import { wrongMembers } from './wrong-members.ts'

const signInHint = 'sign in with `iac login`, or give a valid token in IAC_TOKEN (or IAC_TOKEN_FILE)'
const unauthorizedHint = '`iac whoami` shows who calls and what role and grants allow; sign in as another with `iac login`, or give another token in IAC_TOKEN'

/** The three sorts of errors: what is not known is our bug and carries its stack. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return new Failure(error.exitCode, error.diagnostics.map(hinted))
  if (error instanceof ApiError) return apiFailure(error)
  if (error instanceof UnreachableError) return failure('unreachable', error.message, { hint: unreachableHint(error.message) })
  if (error instanceof InvalidRequest) return invalidRequest(error)
  if (error instanceof Error && error.name === 'AbortError') return new Failure(130, [diagnostic('interrupted', 'stopped')])
  const detail = error instanceof Error ? error.stack : String(error)
  return failure('internal', `a defect of iac: ${error instanceof Error ? error.message : 'something unknown was thrown'}`, {
    detail,
    hint: 'please report it with this text',
  })
}

/** What stands in a path was read from the service before; what a user gives is checked where it is read. */
function invalidRequest({ message, paths, issues }: InvalidRequest): Failure {
  const wrong = wrongMembers(issues)
  if (wrong)
    return new Failure(
      3,
      wrong.map((one) => diagnostic('usage', one)),
    )
  return paths.every((path) => path.startsWith('{'))
    ? failure('api_error', message, { hint: 'the service told something else than an id' })
    : failure('usage', message)
}

function unreachableHint(summary: string): string {
  return `check ${tellsOfProxy(summary) ? 'HTTPS_PROXY, ' : ''}IAC_BASE_URL and the network; \`--verbose\` shows each request`
}

function hinted(one: Diagnostic): Diagnostic {
  const hint = one.code === 'unreachable' ? unreachableHint(one.summary) : one.code === 'unauthorized' ? unauthorizedHint : undefined
  return hint === undefined || one.hint !== undefined ? one : { ...one, hint }
}

/** Fields that the reason does not tell already are its detail. */
function apiFailure(error: ApiError): Failure {
  const fields = error.fields
    .filter((field) => !error.reason.includes(field.message))
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const detail = fields.length === 0 ? {} : { detail: fields.join('\n') }
  if (error.status === 401) return failure('unauthorized', error.message, { ...detail, hint: signInHint })
  if (error.status === 403) return failure('unauthorized', error.message, { ...detail, hint: unauthorizedHint })
  if (error.status >= 300 && error.status < 400)
    return failure('api_error', error.message, { ...detail, hint: 'check IAC_BASE_URL: the service may stand elsewhere' })
  return failure('api_error', error.message, detail)
}
