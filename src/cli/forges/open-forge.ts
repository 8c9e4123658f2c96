// A forge as a command uses it: its place and token from the environment, one host, one transport.
import type { Surroundings } from '../surroundings/surroundings.ts'
import { wayTo } from '../surroundings/way-to.ts'
import type { Calls } from './forge-calls.ts'
import { forgeCalls } from './forge-calls.ts'
import type { ForgeName, ForgePlace, Repository, Written } from './forge-place.ts'
import { forgeToken, refusedHint } from './forge-place.ts'
import type { Forge } from './forge.ts'
import { giteaForge, giteaHeaders, giteaIssues } from './gitea.ts'
import { githubForge, githubHeaders, githubIssues } from './github.ts'
import { gitlabForge, gitlabHeaders, gitlabIssues } from './gitlab.ts'
import type { IssueWays } from './issues.ts'
import { issueForge } from './issues.ts'

interface Sort {
  readonly forge: string
  readonly headers: (token: string) => Readonly<Record<string, string>>
  readonly open: (calls: Calls, place: ForgePlace) => Forge
  readonly issues: (calls: Calls, place: Repository) => IssueWays
}

const sorts: Readonly<Record<ForgeName, Sort>> = {
  github: { forge: 'GitHub', headers: githubHeaders, open: githubForge, issues: githubIssues },
  gitlab: { forge: 'GitLab', headers: gitlabHeaders, open: gitlabForge, issues: gitlabIssues },
  gitea: { forge: 'Gitea', headers: giteaHeaders, open: giteaForge, issues: giteaIssues },
}

/** Does something with a pull or merge request, and closes the connections. Throws a Failure `forge_refused` without a token. */
export async function withForge<T>(name: ForgeName, place: ForgePlace, surroundings: Surroundings, work: (forge: Forge) => Promise<T>): Promise<T> {
  return await withCalls(name, place, surroundings, 'comments', async (calls) => await work({ ...sorts[name].open(calls, place), nowMs: calls.nowMs }))
}

/** Does something with the open issues of a repository, and closes the connections; one that is opened gets the title. Throws as `withForge`. */
export async function withIssues<T>(
  name: ForgeName,
  { title, ...place }: Repository & { readonly title: string },
  surroundings: Surroundings,
  work: (forge: Forge) => Promise<T>,
): Promise<T> {
  return await withCalls(
    name,
    place,
    surroundings,
    'issues',
    async (calls) => await work({ ...issueForge(sorts[name].issues(calls, place), title), nowMs: calls.nowMs }),
  )
}

async function withCalls<T>(
  name: ForgeName,
  { apiUrl }: Repository,
  surroundings: Surroundings,
  written: Written,
  work: (calls: Calls) => Promise<T>,
): Promise<T> {
  const { environment, clock } = surroundings
  const { forge, headers } = sorts[name]
  const { origin } = new URL(apiUrl)
  const parts = { forge, origin, headers: headers(forgeToken(name, environment, written)), clock, hint: refusedHint(name, written) }
  surroundings.heed()
  const { transport, close } = (await wayTo(origin, surroundings))()
  try {
    return await work(forgeCalls({ ...parts, transport }))
  } finally {
    await close()
  }
}
