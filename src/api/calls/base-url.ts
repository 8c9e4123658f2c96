// Checks the address of the API before anything is sent to it.
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'

/**
 * The address without a trailing slash; https, or http on loopback, without user, password, query or fragment, never link-local.
 * Throws a Failure `bad_address`, which never quotes what does not parse or holds a password.
 */
export function checkBaseUrl(text: string): string {
  const url = parse(text)
  if (!url) throw refused('the address of the API is not a URL', 'write it as https://HOST')
  if (url.username !== '' || url.password !== '') throw refused('the address of the API holds a user or password', 'give the token in IAC_TOKEN instead')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(`the address of the API begins with ${url.protocol}//`, 'only https is accepted')
  if (isLinkLocal(url.hostname))
    throw refused(`the address of the API, ${url.hostname}, is link-local`, 'such addresses belong to the machine that iac runs on')
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refused(`http is not accepted for ${url.hostname}`, 'use https; http is for loopback addresses only')
  if (url.search !== '' || url.hash !== '') throw refused('the address of the API holds a query or fragment', 'write it as https://HOST or https://HOST/PATH')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

function refused(summary: string, hint: string): Failure {
  return failure('bad_address', summary, { hint })
}

/** URL has already brought every spelling of an IPv4 address (0x7f.1, 2130706433) to four decimals. */
/** Whether a host as `URL` gives it is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** 169.254.0.0/16 and fe80::/10, also where IPv6 wraps the former. */
function isLinkLocal(host: string): boolean {
  return host.startsWith('169.254.') || /^\[fe[89ab][0-9a-f]:/.test(host) || /^\[(::ffff:|64:ff9b::|::)a9fe:/.test(host)
}
