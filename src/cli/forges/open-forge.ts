// A forge as a command uses it: its place and token from the environment, one host, one transport.
import type { Surroundings } from '../surroundings/surroundings.ts'
import { wayTo } from '../surroundings/way-to.ts'
import type { Calls } from './forge-calls.ts'
import { forgeCalls } from './forge-calls.ts'
import type { ForgeName, ForgePlace } from './forge-place.ts'
import { forgeToken, refusedHint } from './forge-place.ts'
import type { Forge } from './forge.ts'
import { giteaForge, giteaHeaders } from './gitea.ts'
import { githubForge, githubHeaders } from './github.ts'
import { gitlabForge, gitlabHeaders } from './gitlab.ts'

interface Sort {
  readonly forge: string
  readonly headers: (token: string) => Readonly<Record<string, string>>
  readonly open: (calls: Calls, place: ForgePlace) => Forge
}

const sorts: Readonly<Record<ForgeName, Sort>> = {
  github: { forge: 'GitHub', headers: githubHeaders, open: githubForge },
  gitlab: { forge: 'GitLab', headers: gitlabHeaders, open: gitlabForge },
  gitea: { forge: 'Gitea', headers: giteaHeaders, open: giteaForge },
}

/** Does something with the forge, and closes its connections. Throws a Failure `forge_refused` without a token. */
export async function withForge<T>(name: ForgeName, place: ForgePlace, surroundings: Surroundings, work: (forge: Forge) => Promise<T>): Promise<T> {
  const { environment, clock } = surroundings
  const { forge, headers, open } = sorts[name]
  const { origin } = new URL(place.apiUrl)
  const parts = { forge, origin, headers: headers(forgeToken(name, environment)), clock, hint: refusedHint(name) }
  surroundings.heed()
  const { transport, close } = (await wayTo(origin, surroundings))()
  try {
    return await work(open(forgeCalls({ ...parts, transport }), place))
  } finally {
    await close()
  }
}
