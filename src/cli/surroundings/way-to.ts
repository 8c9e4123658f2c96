// How a server is reached: straight, or by way of the proxy that the environment names.
import type { OpenTransport } from '../../api/transport/socket-transport.ts'
import type { Surroundings } from './surroundings.ts'

/** Opens connections to a base URL or an origin; nothing is opened before it is called. Throws a Failure `bad_address` for a proxy that is no URL. */
export async function wayTo(baseUrl: string, { environment }: Pick<Surroundings, 'environment'>): Promise<() => OpenTransport> {
  // The variable is for https alone: what else stands in it is nothing to a server on loopback.
  const httpsProxy = baseUrl.startsWith('https:') ? (environment['HTTPS_PROXY'] ?? environment['https_proxy'] ?? '') : ''
  const noProxy = environment['NO_PROXY'] ?? environment['no_proxy']
  const { socketTransport } = await import('../../api/transport/socket-transport.ts')
  if (httpsProxy === '') return () => socketTransport({ baseUrl })
  const { proxyWay } = await import('../../api/transport/proxy.ts')
  return () => socketTransport({ baseUrl, way: proxyWay({ httpsProxy, noProxy }) })
}
