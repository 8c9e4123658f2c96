// What is said of coverage where there is nothing to cover.
import { expect, test } from 'vitest'
import { driftDocument } from './drift-json.ts'
import { driftText } from './drift-text.ts'
import { noColours } from './text/palette.ts'

test('gives no percentage of nothing', () => {
  const nothing = { unmanaged: [], managed: 0 }
  expect(driftText([], nothing, { palette: noColours, outputsOf: () => [] })).toBe(
    'Coverage: there is no object.\n\nNo drift. What is live matches what was last applied.\n',
  )
  expect(driftDocument([], nothing)).toMatchObject({ unmanaged: [], coverage: null })
})
