// The pipeline for GitLab, and the same as a CI/CD component, whose inputs stand where the pipeline has variables.
import type { Setting } from './pipeline.ts'
import { forkLines, headLines, indented, installLines, releaseFile } from './pipeline.ts'

/** What the pipeline and the component say differently. */
interface Words {
  readonly production: string
  readonly stages: Readonly<Record<'validate' | 'plan' | 'apply', string>>
  /** What stands in each job. */
  readonly installed: string
  readonly prefix: string
  readonly folder: string
}

const image = 'buildpack-deps:bookworm-scm'
const plain: Words = {
  production: 'production',
  stages: { validate: 'validate', plan: 'plan', apply: 'apply' },
  installed: '',
  prefix: '',
  folder: '',
}
const merged = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule"'
const head = headLines({ git: 'git', origin: '$CI_REPOSITORY_URL', ref: 'refs/heads/$CI_COMMIT_BRANCH', commit: '$CI_COMMIT_SHA' })
const unlessChanging = ['if [ "$IAC_CHANGES" = true ]; then', '  echo "The plan changes something, which waits for the apply."', '  exit 0', 'fi']
const installation = indented(installLines('export PATH="$place/bin:$PATH"'), 6)

/** `.gitlab-ci.yml`. */
export function gitlab({ version }: Setting): string {
  return `# Validates and plans every merge request, with a note; applies what was merged when somebody says so, just as it was planned, or at once
# where that only writes the state; looks for drift in scheduled pipelines, with an issue.
stages: [validate, plan, apply]
variables:
  # Where ${releaseFile(version)} lies (https), and what SHA256SUMS says of it.
  IAC_RELEASE_URL: ''
  IAC_RELEASE_SHA256: ''
default:
  # A tag can be moved: ${image}@sha256:DIGEST, as \`docker images --digests\` shows it, cannot.
  image: ${image}
  before_script:
    - |
${installation}workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_PIPELINE_SOURCE == "schedule"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
${jobs(plain)}`
}

function input(name: string): string {
  return `$[[ inputs.${name} ]]`
}

/** A component: \`templates/iac.yml\` of a project of components. */
export function gitlabComponent(): string {
  const installed = `  image: '${input('image')}'
  variables:
    IAC_RELEASE_URL: '${input('release_url')}'
    IAC_RELEASE_SHA256: '${input('release_sha256')}'
  before_script:
    - |
${installation}    - cd "${input('folder')}"
`
  const stages = { validate: `'${input('validate_stage')}'`, plan: `'${input('plan_stage')}'`, apply: `'${input('apply_stage')}'` }
  return `# Made by \`npm run generate\`; changes belong into the sources.
spec:
  inputs:
    release_url: { type: string, description: 'Where ${releaseFile('VERSION')} lies, by https' }
    release_sha256: { type: string, description: 'What SHA256SUMS says of it', regex: '^[0-9a-f]{64}$' }
    folder: { type: string, description: 'The folder of the project', default: '.', regex: '^[\\w./-]+$' }
    image: { type: string, description: 'With curl, tar, sha256sum and git, on glibc', default: '${image}' }
    prefix: { type: string, description: 'Before the names of the jobs', default: 'iac-', regex: '^[\\w-]*$' }
    environment: { type: string, description: 'The environment whose approval an apply waits for', default: production }
    validate_stage: { type: string, default: test }
    plan_stage: { type: string, default: test }
    apply_stage: { type: string, default: deploy }
---
${jobs({ production: `'${input('environment')}'`, stages, installed, prefix: input('prefix'), folder: `${input('folder')}/` })}`
}

function jobs({ production, stages, installed, prefix, folder }: Words): string {
  const job = (name: string): string => (prefix === '' ? name : `'${prefix}${name}'`)
  const path = (name: string): string => (folder === '' ? name : `'${folder}${name}'`)
  return `${job('validate')}:
  stage: ${stages.validate}
${installed}  interruptible: true
  rules:
    - if: $CI_PIPELINE_SOURCE != "schedule"
  script:
    - iac validate --format codequality=gl-code-quality-report.json
  artifacts: { when: always, access: developer, expire_in: 1 week, reports: { codequality: ${path('gl-code-quality-report.json')} } }
${job('plan')}:
  stage: ${stages.plan}
${installed}  needs: [${job('validate')}]
  interruptible: true
  rules:
    - if: $CI_PIPELINE_SOURCE != "schedule"
  script:
    - |
      if [ -z "\${IAC_TOKEN:-}" ] && [ "$CI_PIPELINE_SOURCE" = merge_request_event ]; then
${indented(forkLines('$CI_MERGE_REQUEST_DIFF_BASE_SHA'), 8)}        exit 0
      fi
      saved="$(mktemp -d)/iac.plan"
      iac plan --out "$saved" --format gitlab=plan.json --format dotenv=plan.env
      if [ -n "\${GITLAB_TOKEN:-}" ] && [ -n "\${CI_MERGE_REQUEST_IID:-}" ]; then
        iac comment gitlab --plan "$saved"
      fi
  artifacts:
    access: developer
    expire_in: 1 week
    reports: { terraform: ${path('plan.json')}, dotenv: ${path('plan.env')} }
${job('apply')}:
  stage: ${stages.apply}
${installed}  needs: [${job('plan')}]
  interruptible: false
  rules:
    - if: ${merged}
      when: manual
  environment: { name: ${production} }
  resource_group: iac
  script:
    - |
${indented(head, 6)}    - iac apply --expect-review "$IAC_REVIEW" --lock-timeout 10m
# A plan without changes may still hold what is to be recorded, such as prevent_destroy, on_remove, and drift that the manifests say by now.
${job('record')}:
  stage: ${stages.apply}
${installed}  needs: [${job('plan')}]
  interruptible: false
  rules:
    - if: ${merged}
  resource_group: iac
  script:
    - |
${indented([...unlessChanging, ...head], 6)}    - iac apply --expect-review "$IAC_REVIEW" --lock-timeout 10m
${job('drift')}:
  stage: ${stages.plan}
${installed}  needs: []
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  script:
    - iac drift \${GITLAB_TOKEN:+--issue gitlab} --format openmetrics=metrics.txt
  artifacts:
    when: always
    access: developer
    expire_in: 90 days
    paths: [${path('metrics.txt')}]
    reports: { metrics: ${path('metrics.txt')} }
`
}
