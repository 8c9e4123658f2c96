// Which addresses of the API are allowed, and that a refusal never prints a password.
import { describe, expect, test } from 'vitest'
import { Failure } from '../../base/diagnostic.ts'
import { checkBaseUrl } from './base-url.ts'

describe('checkBaseUrl', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com:8443/cloud//', 'https://api.example.com:8443/cloud'],
    ['HTTPS://API.example.com', 'https://api.example.com'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://api.localhost', 'http://api.localhost'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['http://0x7f.1', 'http://127.0.0.1'],
    ['http://[::1]:9', 'http://[::1]:9'],
  ])('accepts %s', (text, url) => {
    expect(checkBaseUrl(text)).toBe(url)
  })

  test.each([
    'http://api.example.com',
    'http://10.0.0.1',
    'http://localhost.example.com',
    'http://127.example.com',
    'file:///etc/passwd',
    'ftp://localhost',
    'https://169.254.169.254',
    'http://169.254.169.254',
    'https://2852039166',
    'https://[fe80::1]',
    'https://[febf::1]',
    'https://[::ffff:169.254.169.254]',
    'https://[64:ff9b::169.254.169.254]',
    'https://user:CANARY@api.example.com',
    'https://CANARY@api.example.com',
    'http://user:CANARY@[bad',
    'https://api.example.com?token=CANARY',
    'https://api.example.com#CANARY',
    'api.example.com',
    '',
  ])('refuses %s', (text) => {
    const error = refusal(() => checkBaseUrl(text))
    expect(error.diagnostics[0]?.code).toBe('bad_address')
    expect(error.exitCode).toBe(3)
    expect(JSON.stringify(error.diagnostics) + String(error.stack)).not.toContain('CANARY')
  })
})

function refusal(run: () => unknown): Failure {
  try {
    run()
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error('was not refused')
}
