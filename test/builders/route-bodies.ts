// The bodies of an area's routes, each with what it takes and what it refuses, in the program's form: ids are strings of digits.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Route } from '../../src/api/routes/route.ts'

interface BodyExamples {
  readonly takes: readonly unknown[]
  readonly refuses: readonly unknown[]
}

/** Those of an area: each of its routes that has a body. */
type AreaExamples<R> = { readonly [N in keyof R as R[N] extends { readonly body: () => z.ZodType } ? N : never]: BodyExamples }

/** Tests both directions of each body, and that every route with a body has its examples. */
export function describeBodies<const R extends Readonly<Record<string, Route>>>(area: R, examples: AreaExamples<R>): void {
  const given: Readonly<Record<string, BodyExamples>> = { ...examples }
  const withBody = Object.entries(area).flatMap(([name, { body }]) => (body ? [[name, body()] as const] : []))

  describe('bodies', () => {
    test('every route with a body has examples here', () => {
      expect(Object.keys(given).toSorted()).toEqual(withBody.map(([name]) => name).toSorted())
    })

    test.each(withBody)('%s', (name, body) => {
      const { takes = [], refuses = [] } = given[name] ?? {}
      for (const example of takes) {
        const wire = z.encode(body, example)
        expect(z.decode(body, wire)).toEqual(example)
        expect(body.safeParse({ ...Object(wire), nonsense: 1 }).success, 'a member that it does not know is taken').toBe(false)
      }
      expect(
        refuses.filter((example) => z.safeEncode(body, example).success),
        'taken by the body, though among what it refuses',
      ).toEqual([])
      const messages = refuses.flatMap((example) => z.safeEncode(body, example).error?.issues.map((issue) => issue.message) ?? [])
      expect(messages.filter((message) => message.includes('pattern'))).toEqual([])
    })
  })
}
