// Pipelines as `iac init --ci` writes them: validate and plan on a pull request, apply after a merge, drift every night.
import { actions } from './actions.ts'
import { gitlab } from './gitlab.ts'
import { atlantis, atlantisServer, driftScript } from './on-a-server.ts'
import type { Pipeline } from './pipeline.ts'
import { releaseNeeded, secretsNeeded, sensitiveNeeded, smallest } from './pipeline.ts'

/** By name, as `--ci` takes it. */
export const pipelines = {
  github: {
    files: (setting) => ({ '.github/workflows/iac.yaml': actions('github', setting) }),
    needs: ({ backend }) => `${releaseNeeded}
Secrets of the repository: ${secretsNeeded(backend)}, each of these named below env of the steps as well.
${sensitiveNeeded('a variable of the repository')}
An environment "production" with reviewers holds the apply back until somebody lets it; an IAC_TOKEN of that environment is the one that may change anything, the other may only read. ${smallest}
`,
    losesFiles: true,
  },
  gitlab: {
    files: (setting) => ({ '.gitlab-ci.yml': gitlab(setting) }),
    needs: ({ backend }) => `${releaseNeeded}
Masked variables of the project: ${secretsNeeded(backend)}; GITLAB_TOKEN, an access token of the project with the scope api, for notes and issues. Pipelines of merge requests see no protected ones: IAC_TOKEN for the environment production alone, protected, is the one that may change anything; the other may only read.
${sensitiveNeeded('a variable of the project')}
The environment production, protected, says who may start the apply; a pipeline schedule looks for drift. ${smallest}
`,
    losesFiles: true,
  },
  gitea: {
    files: (setting) => ({ '.gitea/workflows/iac.yaml': actions('gitea', setting) }),
    needs: ({ backend }) => `${releaseNeeded}
Secrets of the repository: ${secretsNeeded(backend)}, each of these named below env of the steps as well; FORGE_TOKEN, a token with the scopes write:issue, read:repository and read:user, for comments and issues.
${sensitiveNeeded('a variable of the repository')}
Gitea has no environments that wait for a reviewer: whoever may run workflows by hand applies a plan, by its review. ${smallest}
`,
    losesFiles: true,
  },
  atlantis: {
    files: () => ({ 'atlantis.yaml': atlantis, 'atlantis-repos.yaml': atlantisServer, 'iac-drift.sh': driftScript }),
    needs: ({
      backend,
    }) => `In the environment of the server: ${secretsNeeded(backend)}; and in its image iac from a release, checked against SHA256SUMS. ${smallest}
${sensitiveNeeded('in the environment of the server')} IAC_POLICIES there names the files of policies that hold whatever iac.yaml says.
The server is started with --checkout-strategy merge and --repo-config: a copy of atlantis-repos.yaml that stands there alone, with the name of this repository. A pull request can change none of these.
A plan without changes is applied like any other: it may hold what is to be recorded, such as prevent_destroy.
Atlantis knows no schedule: iac-drift.sh is for a cron beside it.
`,
    losesFiles: true,
  },
  cron: {
    files: () => ({ 'iac-drift.sh': driftScript }),
    needs: ({ backend }) => `In the environment of cron: ${secretsNeeded(backend)}. ${smallest}\n${sensitiveNeeded('in the same environment')}\n`,
    losesFiles: false,
  },
} as const satisfies Readonly<Record<string, Pipeline>>

/** Undefined without one. */
export function pipelineNamed(name: string | undefined): Pipeline | undefined {
  return Object.entries(pipelines).find(([own]) => own === name)?.[1]
}
