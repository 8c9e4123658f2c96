// Workflows for GitHub, and for Gitea and Forgejo, which speak like it but have no environments that wait for a reviewer.
import type { Setting } from './pipeline.ts'
import { forkLines, headLines, indented, installLines, releaseFile, secretNames } from './pipeline.ts'

type Flavour = 'github' | 'gitea'

/** By commit, as tags can be moved; the version stands beside it. */
const checkout = (depth = ''): string => `      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with: { persist-credentials: false${depth} }
`
/** What a change is held against, and how much of the history has it: GitHub checks out a merge, whose first parent that is, Gitea the change itself. */
const base: Readonly<Record<Flavour, { readonly commit: string; readonly depth: string }>> = {
  github: { commit: 'HEAD^1', depth: ', fetch-depth: 2' },
  gitea: { commit: 'origin/$GITHUB_BASE_REF', depth: ', fetch-depth: 0' },
}
/** Gitea keeps artifacts for the third version alone. */
const upload: Readonly<Record<Flavour, string>> = {
  github: 'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  gitea: 'actions/upload-artifact@c6a366c94c3e0affe28c06c8df20a878f24da3cf # v3.2.2',
}
const forgeToken: Readonly<Record<Flavour, string>> = {
  github: 'GITHUB_TOKEN: ${{ github.token }}',
  gitea: 'GITEA_TOKEN: ${{ secrets.FORGE_TOKEN }}',
}

/** The file of the workflow, as each forge names it; to GitHub `github.workflow` is the name in it. */
const ownFile: Readonly<Record<Flavour, string>> = { github: '${{ github.workflow_ref }}', gitea: '${{ github.workflow }}' }

/** A group holds across the repository, and of those that wait only the last is kept: another project's is not to take its place. */
function concurrency(flavour: Flavour, job: string): string {
  return `concurrency: { group: 'iac-${job}-${ownFile[flavour]}', cancel-in-progress: false }`
}

/** The workflow. */
export function actions(flavour: Flavour, setting: Setting): string {
  return [
    head(flavour, setting),
    plan(flavour, setting),
    flavour === 'github' ? approvedApply(setting) : askedApply(setting),
    record(flavour, setting),
    drift(flavour, setting),
  ].join('')
}

const heads: Readonly<Record<Flavour, string>> = {
  github: `# Validates and plans every pull request, with a comment; after a merge applies what was reviewed, once the environment "production"
# lets it, or at once where that only writes the state; looks for drift every night, with an issue.
`,
  gitea: `# Validates and plans every pull request, with a comment; after a merge somebody runs this by hand with the review that the plan of
# the merge shows, which applies just that; what only writes the state waits for nobody; looks for drift every night, with an issue.
`,
}

function head(flavour: Flavour, { version }: Setting): string {
  const asked =
    flavour === 'github'
      ? ''
      : `  workflow_dispatch:
    inputs:
      review: { description: 'The review of the plan that is to be carried out', required: true, type: string }
`
  return `${heads[flavour]}name: iac
on:
  pull_request:
  push: { branches: [main] }
  schedule: [{ cron: '17 3 * * *' }]
${asked}permissions: {}
defaults: { run: { shell: bash } }
env:
  # Where ${releaseFile(version)} lies (https), and what SHA256SUMS says of it.
  IAC_RELEASE_URL: ''
  IAC_RELEASE_SHA256: ''
jobs:
`
}

function setUp(depth?: string): string {
  return `    steps:
${checkout(depth)}      - name: Install iac
        run: |
${indented(installLines('echo "$place/bin" >> "$GITHUB_PATH"'), 10)}`
}

function secrets({ backend }: Setting): string {
  const secret = secretNames(backend).map((name) => `${name}: \${{ secrets.${name} }}`)
  const host = backend === 's3' || backend === 'http' ? ['IAC_STATE_HOST: ${{ vars.IAC_STATE_HOST }}'] : []
  const sensitive = 'IAC_SENSITIVE_VARS: ${{ vars.IAC_SENSITIVE_VARS }}'
  return indented([...secret, ...host, sensitive, '# IAC_VAR_name: ${{ secrets.IAC_VAR_name }}, for each variable of the project that is secret'], 10)
}

function plan(flavour: Flavour, setting: Setting): string {
  const tells =
    flavour === 'github'
      ? ''
      : `      - name: What to apply it with
        if: github.event_name == 'push' && steps.plan.outputs.changes == 'true'
        env: { REVIEW: '\${{ steps.plan.outputs.review }}' }
        run: echo "To carry this plan out, run this workflow by hand with the review $REVIEW"
`
  const condition = flavour === 'github' ? "github.event_name != 'schedule'" : "github.event_name == 'pull_request' || github.event_name == 'push'"
  const commenting =
    flavour === 'github' ? 'iac comment github --plan "$RUNNER_TEMP/iac.plan"' : '[ -z "$GITEA_TOKEN" ] || iac comment gitea --plan "$RUNNER_TEMP/iac.plan"'
  return `  plan:
    if: ${condition}
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions: { contents: read, pull-requests: write }
    outputs: { review: '\${{ steps.plan.outputs.review }}', changes: '\${{ steps.plan.outputs.changes }}' }
    env:
      HAS_SECRETS: \${{ secrets.IAC_TOKEN != '' }}
${setUp(base[flavour].depth)}      - name: Validate
        run: iac validate --format github
      - name: Plan without secrets
        if: env.HAS_SECRETS == 'false' && github.event_name == 'pull_request'
        run: |
${indented(forkLines(base[flavour].commit), 10)}      - name: Plan
        id: plan
        if: env.HAS_SECRETS == 'true' || github.event_name != 'pull_request'
        env:
${secrets(setting)}        run: iac plan --out "$RUNNER_TEMP/iac.plan"
      - name: Comment
        if: env.HAS_SECRETS == 'true' && github.event_name == 'pull_request'
        env:
          ${forgeToken[flavour]}
          IAC_STATE_KEY: \${{ secrets.IAC_STATE_KEY }}
        run: ${commenting.startsWith('[') ? `'${commenting}'` : commenting}
${tells}`
}

/** The checkout keeps no credentials, and no argument holds any. */
const withToken = `git -c safe.directory='*' -c credential.helper= -c credential.helper='!echo username=x-access-token; echo "password=$READING"; :'`

function apply(setting: Setting, review: string, title = 'Apply what was reviewed'): string {
  return `${setUp()}      - name: Only the head of the branch
        env: { READING: '\${{ github.token }}' }
        run: |
${indented(headLines({ git: withToken, origin: 'origin', ref: '$GITHUB_REF', commit: '$GITHUB_SHA' }), 10)}      - name: ${title}
        env:
          REVIEW: ${review}
${secrets(setting)}        run: iac apply --expect-review "$REVIEW" --lock-timeout 10m
`
}

function approvedApply(setting: Setting): string {
  return `  apply:
    needs: plan
    if: github.event_name == 'push' && needs.plan.outputs.changes == 'true'
    runs-on: ubuntu-24.04
    timeout-minutes: 120
    permissions: { contents: read }
    environment: production
    # Runs wait for their approval side by side, and only that of the newest commit applies: it holds what the others would have done.
    ${concurrency('github', 'apply')}
${apply(setting, '${{ needs.plan.outputs.review }}')}`
}

/** Waits for nobody, as it sends nothing that changes anything: the review holds it to a plan without changes. */
function record(flavour: Flavour, setting: Setting): string {
  return `  # A plan without changes may still hold what is to be recorded, such as prevent_destroy, on_remove, and drift that the manifests say by now.
  record:
    needs: plan
    if: github.event_name == 'push' && needs.plan.outputs.changes != 'true'
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions: { contents: read }
    ${concurrency(flavour, 'record')}
${apply(setting, '${{ needs.plan.outputs.review }}', 'Record what only the state holds')}`
}

function askedApply(setting: Setting): string {
  return `  apply:
    if: github.event_name == 'workflow_dispatch' && github.ref == 'refs/heads/main'
    runs-on: ubuntu-24.04
    timeout-minutes: 120
    permissions: { contents: read }
    ${concurrency('gitea', 'apply')}
${apply(setting, '${{ inputs.review }}')}`
}

function drift(flavour: Flavour, setting: Setting): string {
  const issue = flavour === 'github' ? '--issue github' : '${GITEA_TOKEN:+--issue gitea}'
  return `  drift:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions: { contents: read, issues: write }
${setUp()}      - name: Look for drift
        env:
          ${forgeToken[flavour]}
${secrets(setting)}        run: iac drift ${issue} --format openmetrics=drift.prom
      # Gauges alone, for whoever may read the repository; a plan is never uploaded.
      - name: Keep the metrics
        if: always()
        uses: ${upload[flavour]}
        with: { name: iac-drift, path: drift.prom, retention-days: 90, if-no-files-found: ignore }
`
}
