// Pipelines as `iac init --ci` writes them: validate and plan on a pull request, apply after a merge, drift every night.

/** A pipeline for one forge. */
export interface Pipeline {
  /** Where it is written, below the project. */
  readonly path: string
  readonly text: (version: string) => string
  /** What has to be there outside of the project, in lines for people. */
  readonly needs: string
}

const install = (version: string): string => `npm install --global --ignore-scripts iac@${version}`
// A fork has no secrets: its plan is made against the embedded service, which knows nothing of what is there.
const planOrSandbox = (plan: string): readonly string[] => [
  'if [ -n "${IAC_TOKEN:-}" ]; then',
  `  iac plan ${plan}`,
  'else',
  '  echo "No IAC_TOKEN: this plan is made against the embedded service, where nothing of the project is there yet."',
  `  iac plan --sandbox ${plan}`,
  'fi',
]
const indented = (lines: readonly string[], width: number): string => lines.map((line) => `${' '.repeat(width)}${line}\n`).join('')

const credentials = (indent: string, secret: (name: string) => string): string =>
  ['IAC_TOKEN', 'IAC_BASE_URL', 'IAC_STATE_URL', 'IAC_STATE_KEY'].map((name) => `${indent}${name}: ${secret(name)}\n`).join('')

const secretsOfActions = credentials('          ', (name) => `\${{ secrets.${name} }}`)

/** GitHub Actions and what speaks like it. */
function actions(version: string, gitea: boolean): string {
  const setUp = `      - uses: actions/checkout@v4
        with: { persist-credentials: false }
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: ${install(version)}
`
  const reviewed = gitea ? 'iac apply --auto-approve' : 'iac apply --expect-review "$REVIEW"'
  return `# Validates and plans every pull request, applies what was merged${gitea ? '' : ' once the environment "production" lets it'}, and looks for drift every night.
name: iac
on:
  pull_request:
  push: { branches: [main] }
  schedule: [{ cron: '17 3 * * *' }]
permissions: { contents: read }
jobs:
  plan:
    if: github.event_name != 'schedule'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    outputs: { review: '\${{ steps.plan.outputs.review }}', changes: '\${{ steps.plan.outputs.changes }}' }
    steps:
${setUp}      - run: iac validate --format github
      - id: plan
        env:
${secretsOfActions}        run: |
${indented(planOrSandbox('--format markdown=plan.md'), 10)}  apply:
    needs: plan
    if: github.event_name == 'push' && needs.plan.outputs.changes == 'true'
    runs-on: ubuntu-latest
    timeout-minutes: 120
    environment: production
    # Of those that wait the newest one is carried out: it holds what the others would have done.
    concurrency: { group: iac-apply, cancel-in-progress: false }
    steps:
${setUp}      - env:
          REVIEW: \${{ needs.plan.outputs.review }}
${secretsOfActions}        run: ${reviewed} --lock-timeout 10m
  drift:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
${setUp}      - env:
${secretsOfActions}        run: iac drift --format openmetrics=drift.prom
`
}

function gitlab(version: string): string {
  return `# Validates and plans every merge request, applies what was merged when somebody says so, and looks for drift in scheduled pipelines.
stages: [plan, apply]
default:
  image: node:22-slim
  interruptible: false
  before_script:
    - ${install(version)}
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_PIPELINE_SOURCE == "schedule"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
validate:
  stage: plan
  script:
    - iac validate --format codequality=gl-code-quality-report.json
  artifacts: { when: always, reports: { codequality: gl-code-quality-report.json } }
plan:
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE != "schedule"
  script:
    - |
${indented(planOrSandbox('--format gitlab=plan.json --format dotenv=plan.env'), 6)}  artifacts:
    public: false
    expire_in: 1 week
    reports: { terraform: plan.json, dotenv: plan.env }
apply:
  stage: apply
  needs: [plan]
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule"
      when: manual
  environment: { name: production }
  resource_group: iac
  script:
    - iac apply --expect-review "$IAC_REVIEW" --lock-timeout 10m
drift:
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  script:
    - iac drift --format openmetrics=metrics.txt
  artifacts: { when: always, public: false, expire_in: 1 week, reports: { metrics: metrics.txt } }
`
}

const atlantis = `# Atlantis plans and applies in comments; the server's own configuration has to allow custom workflows.
version: 3
projects:
  - name: iac
    dir: .
    workflow: iac
    autoplan: { when_modified: ['**/*.yaml'] }
    apply_requirements: [approved, mergeable]
workflows:
  iac:
    plan:
      steps:
        - run: iac validate
        - run: iac plan --compat terraform --out "$PLANFILE"
    apply:
      steps:
        - run: iac apply --compat terraform "$PLANFILE"
`

const cron = `#!/bin/sh
# Looks for drift, for cron: 17 3 * * *  sh /path/to/project/iac-drift.sh
# Its gauges stand in a folder that Prometheus' node exporter reads, where DRIFT_METRICS names one; it says something, which cron mails, only where something drifted.
set -u
cd "$(dirname "$0")" || exit 1
set --
if [ -n "\${DRIFT_METRICS:-}" ]; then set -- --format "openmetrics=\${DRIFT_METRICS}"; fi
report="$(iac drift --no-input "$@" 2>&1)"
status=$?
if [ "$status" -ne 0 ]; then printf '%s\\n' "$report"; fi
exit "$status"
`

const secretsNeeded = 'IAC_TOKEN and IAC_BASE_URL, and those of the state (IAC_STATE_URL or AWS_*, IAC_STATE_KEY)'
const smallest = '`iac plan --needs` prints the smallest token that does.'

/** By name, as `--ci` takes it. */
export const pipelines = {
  github: {
    path: '.github/workflows/iac.yaml',
    text: (version: string) => actions(version, false),
    needs: `Secrets of the repository: ${secretsNeeded}.\nAn environment "production" with reviewers holds the apply back until somebody lets it. ${smallest}\n`,
  },
  gitlab: {
    path: '.gitlab-ci.yml',
    text: gitlab,
    needs: `Masked variables of the project: ${secretsNeeded}. Pipelines of merge requests see no protected ones: IAC_TOKEN for the environment production alone, protected, is the one that may change anything; the other may only read.\nA pipeline schedule for the drift. ${smallest}\n`,
  },
  gitea: {
    path: '.gitea/workflows/iac.yaml',
    text: (version: string) => actions(version, true),
    needs: `Secrets of the repository: ${secretsNeeded}. ${smallest}\n`,
  },
  atlantis: {
    path: 'atlantis.yaml',
    text: () => atlantis,
    needs: `In the environment of the server: ${secretsNeeded}; and in its configuration allow_custom_workflows: true. ${smallest}\n`,
  },
  cron: {
    path: 'iac-drift.sh',
    text: () => cron,
    needs: `In the environment of cron: ${secretsNeeded}. ${smallest}\n`,
  },
} as const satisfies Readonly<Record<string, Pipeline>>

/** Undefined without one. */
export function pipelineNamed(name: string | undefined): Pipeline | undefined {
  return Object.entries(pipelines).find(([own]) => own === name)?.[1]
}
