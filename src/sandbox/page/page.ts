// The page at the server's root: one document with everything in it, under a policy that lets it reach nothing but its own server.

/** What the page may do; the hashes are those of its own script and style. */
const policyOf = (scriptHash: string, styleHash: string): string =>
  [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** Answers what is the page's, the root alone; the page itself tells nothing, so anybody may have it. */
export function pageResponse(request: Request): Promise<Response> | undefined {
  if (new URL(request.url).pathname !== '/' || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
  return documentResponse(request.method === 'HEAD')
}

/** The document is long, and few look at it: it is loaded when somebody does. */
async function documentResponse(isHead: boolean): Promise<Response> {
  const { pageDocument, scriptHash, styleHash } = await import('./page-asset.ts')
  return new Response(isHead ? null : pageDocument, { headers: { ...headers, 'content-security-policy': policyOf(scriptHash, styleHash) } })
}

/**
 * The address that opens the page. The token is in the fragment, which no request, log or Referer carries;
 * a cookie from the root would be handed to every program and user of this machine that asks the port.
 */
export function pageAddress(url: string, controlToken: string): string {
  return `${url}/#token=${encodeURIComponent(controlToken)}`
}
