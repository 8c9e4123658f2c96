// What pipelines do with iac: the forms that reports are shown in, and the words that other tools look for.
import { formats } from '../../apply/formats.ts'
import type { Topic } from './topic.ts'

const formatsTopic: Topic = {
  names: ['formats', 'format'],
  title: 'Formats',
  about: [
    '`plan`, `show PLANFILE`, `drift` and `validate` take `--format NAME[=FILE]`, as often as you like; without a file the format takes the place of standard output. `--json-into FILE` writes the machine format beside what is shown.',
    'All are made from what the command found, and from nothing else. No sensitive value is in any, and no text of the service or of a manifest can be a command, a tag or a fence in one. A file is readable for its owner alone, and replaced as a whole. Paths in a report are relative to the root of the repository, or else to the working directory.',
  ],
  fields: [...formats].map(([name, { of, about }]) => ({ path: name, type: of.join(', '), about, notes: [] })),
}

const look: Topic = {
  names: ['pictures'],
  title: 'To look at',
  about: [
    '`iac plan --format html=plan.html --format svg=plan.svg` writes a page and a picture. The page is one file: its policy forbids every request, so it can be kept as an artifact and opened anywhere. It tells what changes by what is lost (data, an address, an interruption, a restart), every field before and after, what waits for what, costs, limits, outputs, drift and findings; `/` searches in all of it. Without script everything is there to read.',
    '`svg` is the graph alone: an arrow leads to what a change waits for, what hangs on an instance stands in its frame, instances of one `for_each` to which the same happens are one box, and of a very large plan whole kinds are. `mermaid` is the same graph for a fence in a comment, `dot` for Graphviz. What is not drawn is counted in each of them.',
  ],
}

const reviewed: Topic = {
  names: ['review'],
  title: 'What was reviewed is what runs',
  about: [
    'A plan holds `review`: a hash over what it would do, without times and ids. `iac apply --expect-review HASH` plans again and goes on, without asking, only if the plan has that review; else it ends with 6 and changes nothing. A saved plan (`--out`, then `iac apply PLANFILE`) is the other way to the same. Prices are no part of it, since they may change by the hour: what a plan may cost is held by `guards` of iac.yaml, which are judged by the prices of the run that applies.',
    'With `GITHUB_ACTIONS=true`, `plan`, `apply` and `drift` write the outputs of the step (changes, to_add, to_change, to_destroy, to_replace, to_import, drift, monthly_delta, review, exitcode), its summary, annotations, and masks of every secret. `--no-ci` switches that off. `iac comment github --plan FILE` keeps one comment with the plan on a pull request.',
    'The review stands in the comment, in `--json`, in the `dotenv` format (IAC_REVIEW) and in the outputs of the step. A run that fails before there is a plan writes its exit code, its annotations and those of its files that findings fill.',
    'A pull request from a fork has no secrets, so its plan is one of the embedded service: `iac plan --sandbox` shows what would be made of nothing, `iac plan --sandbox --seed FOLDER` what the change does to what the manifests of that folder declare. The pipelines of `iac init --ci` check out the base of the change beside it for that. The service is one of this plan alone, in memory: your own sandbox, its state and the files of the seed stay as they are, and what the seed takes over by `import` is made there. Both are read with the same environment and variables. The page, the comment and the summary say so, and so does `iac show` of the saved plan, which no apply carries out (6).',
  ],
  scenes: [
    {
      title: 'What a change does to what was there',
      stages: [
        {
          files: {
            'base/iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: shop\n',
            'base/main.yaml': 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: the shop, range: 10.20.0.0/24 }\n',
            'head/iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: shop\n',
            'head/main.yaml': 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: the new shop, range: 10.20.0.0/24 }\n',
          },
          command: 'plan --dir head --sandbox --seed base',
          prints: ['  ~ description = "the shop" -> "the new shop"', 'Plan: 0 to add, 1 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

const comments: Topic = {
  names: ['comments'],
  title: 'Comments and issues',
  about: [
    '`iac comment github|gitlab|gitea --plan FILE` keeps one comment for each project, environment and `--tag` on the pull request that the variables of the job name. It is changed in place; with `--mode hide-and-new` a new one is written and the earlier ones are folded. A plan that is older than the one told there changes nothing, nor does one of a commit that the request is not at any more, such as of an earlier job that is run again; the comment names its commit where the variables of the job do. Comments of others are never touched. Projects of several folders of a repository have their own, whatever they are called and wherever the command runs. `--dry-run` prints it and needs no token; outside a job it needs the variables that say which pull request: the rows of the tokens in [variables of the environment](commands.md#variables-of-the-environment) name them.',
    '`iac drift --issue github|gitlab|gitea` opens one issue when something drifted, tells it anew while that lasts, and closes it once nothing does. A later drift opens a new one.',
    'The token (GITHUB_TOKEN, GITLAB_TOKEN, GITEA_TOKEN) goes to the host of that forge alone: a redirect or a next page elsewhere is refused. In a job that comments it needs to write pull requests (`api` on GitLab; on Gitea also `read:repository`, without which the commit of the request is not asked for), in one that looks for drift to write issues, and nothing else.',
  ],
}

const paste: Topic = {
  names: ['pipelines', 'ci'],
  title: 'Ready to paste',
  about: [
    '`iac init --state s3 --ci github` writes the pipeline of a forge: validate and plan on a pull request, with a comment; after a merge an apply of what was reviewed, one at a time, and only while its commit is the head of the branch, so that approving an older run brings nothing back that was taken out since; every night a look for drift, with an issue and gauges. A state in a file of the project would be gone with the runner, so it has to be shared first (`postgres`, `s3`, or `http`, which GitLab and Gitea have themselves). A cache of `.iac` is no way around that: it would bring back the states of other branches, and one whose environment the project no longer declares ends the plan of a new one (9).',
    'GitHub: IAC_TOKEN and the secrets of the state are secrets of the repository, with a token that may only read; an environment called `production` with required reviewers holds the apply back, and has an IAC_TOKEN of its own that may change things. Plans of forks run without them, against the embedded service. Every job asks for the rights that it needs, and actions are named by their commit.',
    'GitLab: the same variables, masked, and protected where they may change something: pipelines of merge requests see no protected ones; the apply waits for a hand (`when: manual`) within a `resource_group`. Reports of the plan, of findings and of terraform stand in the merge request.',
    'Gitea and Forgejo read the same workflows. They know no environment that waits for somebody: the apply is started by hand with the review as its input.',
    'What only the state holds (`prevent_destroy`, `on_remove`, drift that the manifests say by now) is no change of a plan, and an apply records it all the same. Protection that is lifted is told by every form of a plan and is part of its review: who applies by hand is asked, and nothing is destroyed before a plan that shows it. On GitHub, GitLab, Gitea and Forgejo a job of its own, `record`, does so after a merge whose plan has no changes: it waits for nobody, a token that only reads is enough for it, and the review keeps it from changing anything. Atlantis applies such a plan as any other; a pipeline by hand must not make its apply wait for `changes` alone.',
    'Atlantis: `atlantis.yaml` names the project; `atlantis-repos.yaml`, a copy of which the server is given, calls iac in steps of its own, which no pull request can change; locks are those of Atlantis and of the state. `cron` is for a machine of your own: a plan, a drift and gauges for a node exporter.',
    'Who writes the pipeline by hand finds an action for GitHub, Gitea and Forgejo and a component for GitLab in `examples/ci`: the action installs a release by its checksum and runs one command, with the outputs of the step as its own; the component has the jobs above, with inputs for folder, stages, environment and the names of jobs.',
    'iac itself comes from a release: the pipelines hold its address and its SHA-256 in two variables at the top, and check one by the other. `iac` on npm is a package of somebody else.',
  ],
}

const permissions: Topic = {
  names: ['permissions', 'needs'],
  title: 'Permissions',
  about: [
    'Before anything is sent, `plan` and `apply` say which of their calls the service would refuse: for want of a role in the workspace, for want of a grant of the token, or since only a login session may send them. These are warnings beside the changes, one for each resource; many that say the same are counted. An error (4) it is only where the account has no login session at all, and one is needed.',
    'Roles stand in the list of workspaces that every run asks for. What an API token grants takes one request more, two for the token of a workspace, beside those for price and quota, and only where the plan would send something; a session that `iac login` stored is not asked for. The service does not tell which token a call came with: it is taken to be the one that was used a moment ago, and where several were, only what none of them allows is told. A token that may not see its own record is not judged, which `--verbose` says.',
    'A token that only reads is what the plan of a pull request should run with, so that it leads to one note: `the token "ci-read" of this run only reads, and to carry this plan out needs WORKSPACE: WRITE`. Before an apply the same is a warning. A pipeline takes two tokens: one that reads, for plans and drift, and one that may change what the manifests change, for the apply alone.',
    '`iac plan --needs` prints the smallest token that carries the plan out, as the manifest of an ApiToken with exactly these grants; with `--json` every call behind it with its role and grant. What only a session may do, such as making tokens, is named as such.',
  ],
  scenes: [
    {
      title: 'The smallest token for a network',
      stages: [
        {
          files: {
            'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: shop\n',
            'main.yaml': 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: the shop, range: 10.20.0.0/24 }\n',
          },
          command: 'plan --needs --sandbox',
          prints: [
            '# Whoever makes the token has the role EDITOR in the workspace, or more.',
            'kind: ApiToken',
            '  name: iac-shop',
            '  grants: { WORKSPACE: WRITE }',
          ],
        },
      ],
    },
  ],
}

const compat: Topic = {
  names: ['compat-terraform'],
  title: 'Words of other tools',
  about: [
    "With `--compat terraform` the texts of `plan`, `apply`, `destroy`, `drift` and `show` are in the words that tools such as tfcmt and Atlantis look for: the outputs stand behind the plan's sentence, what others changed ends with its own line, an error begins with `Error: `.",
    "`iac show -json PLANFILE` and `iac show -no-color PLANFILE`, with one dash, are for tools that call Terraform: they print the plan as Terraform's plan JSON, and in its words. With two dashes they are iac's own.",
  ],
}

/** Topics by the names that the pages call them by. */
export const pipelineTopics = { formats: formatsTopic, look, reviewed, comments, paste, permissions, compat }
