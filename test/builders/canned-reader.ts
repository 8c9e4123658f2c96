// A reader for tests: answers by path, and says which paths were asked for.
import { ApiError } from '../../src/api/calls/call.ts'
import type { Call } from '../../src/api/calls/call.ts'
import type { Compat } from '../../src/api/calls/compat.ts'
import { compatSchema } from '../../src/api/calls/compat.ts'
import type { JsonValue } from '../../src/base/json.ts'
import type { Reader } from '../../src/kinds/definition/kind.ts'
import { readShape } from '../../src/kinds/definition/shape.ts'

/** Reads from a table of path (parameters filled in) to answer, a list for `all`; a path that is not there is 404. */
export function cannedReader(answers: Readonly<Record<string, JsonValue>>, compat: Partial<Compat> = {}): Reader & { readonly asked: readonly string[] } {
  const asked: string[] = []
  const answerTo = ({ route, params }: Call): JsonValue | undefined => {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
    asked.push(path)
    return answers[path]
  }
  return {
    compat: compatSchema.parse(compat),
    asked,
    all: async (call, shape) => {
      const answer = answerTo(call)
      if (!Array.isArray(answer)) throw new ApiError(404, '', `GET ${call.route.path}`)
      return answer.map((one: JsonValue) => readShape(shape, one, {}))
    },
    text: async (call) => {
      const answer = answerTo(call)
      if (typeof answer !== 'string') throw new ApiError(404, '', `GET ${call.route.path}`)
      return answer
    },
    one: async (call, shape) => {
      const answer = answerTo(call)
      return answer === undefined ? undefined : readShape(shape, answer, {})
    },
  }
}

/** A place to list: workspace 9, with the fields that somebody compares and the parents to list below. */
export function cannedAt(wanted: readonly string[] = [], parents: readonly string[] = []) {
  return { workspaceId: '9', parents, wants: (field: string) => wanted.includes(field) }
}
