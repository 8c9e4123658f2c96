// Which tokens are refused, and that a refusal never prints one.
import { describe, expect, test } from 'vitest'
import { Failure } from '../base/diagnostic.ts'
import { checkToken } from './token.ts'

describe('checkToken', () => {
  test('accepts printable ASCII', () => {
    expect(checkToken('iac_Ab3.-_~+/=:x')).toBe('iac_Ab3.-_~+/=:x')
  })

  test.each(['', 'CAN\nARY', 'CANARY\r\n', 'CAN\0ARY', 'CAN ARY', 'CANÄRY', 'Bearer CANARY', 'bearer\tCANARY', 'CANARY'.repeat(200_000)])(
    'refuses %j',
    (token) => {
      let failed: unknown
      try {
        checkToken(token)
      } catch (error) {
        failed = error
      }
      expect(failed).toBeInstanceOf(Failure)
      if (!(failed instanceof Failure)) return
      expect(failed.diagnostics[0]?.code).toBe('bad_token')
      expect(failed.exitCode).toBe(4)
      expect(JSON.stringify(failed.diagnostics)).not.toMatch(/CAN|ARY/)
    },
  )
})
