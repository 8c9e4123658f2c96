// What iac.yaml adds to manifests: variables, outputs, environments, the state, the workspace.
import { projectSchema } from '../../../project/configuration/project-schema.ts'
import { schemaFields } from '../kind-text.ts'
import type { Topic } from './topic.ts'

const network = `apiVersion: iac/v1
kind: Vpc
metadata:
  name: main
spec:
  description: in \${vars.region}
  range: "\${vars.range}"
`

const plainNetwork = network.replace('${vars.region}', 'fra-1').replace('"${vars.range}"', '10.20.0.0/24')

const variables: Topic = {
  names: ['variables', 'vars'],
  title: 'variables',
  about: [
    '`variables` in `iac.yaml` declares what may be given from outside: `${vars.region}` in expressions. A value comes from `--var region=fra-1`, `--var-file FILE` (YAML), `IAC_VAR_region`, the environment, or its default, in that order.',
    'A variable without a value and a value without a variable are errors, never questions; an exported `IAC_VAR_…` that the project does not declare is a warning. Types are `string int float bool list map any`; lists and maps on the command line are YAML. What is `sensitive` is printed and stored nowhere.',
  ],
  fields: schemaFields(projectSchema, ['variables']),
  scenes: [
    {
      title: 'A default, and a value from the command line',
      stages: [
        {
          files: {
            'iac.yaml': `apiVersion: iac/v1
kind: Project
name: shop
variables:
  region: { type: string, default: fra-1, description: where everything runs }
  range: { type: string }
`,
            'main.yaml': network,
          },
          command: 'plan --sandbox --var range=10.20.0.0/24',
          prints: ['Plan: 1 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

const outputs: Topic = {
  names: ['outputs'],
  title: 'outputs',
  about: [
    '`outputs` in `iac.yaml` are what an apply tells at its end, and what `iac output` prints afterwards: `iac output --raw NAME` for scripts. What is computed from something sensitive is sensitive, too.',
  ],
  fields: schemaFields(projectSchema, ['outputs']),
  scenes: [
    {
      title: 'The id of a network',
      stages: [
        {
          files: {
            'iac.yaml': `apiVersion: iac/v1
kind: Project
name: shop
outputs:
  network: { value: "\${Vpc['main'].id}", description: id of the network }
  range: { value: "\${Vpc['main'].range}" }
`,
            'main.yaml': plainNetwork,
          },
          command: 'apply --sandbox --auto-approve',
          prints: ['Apply complete! Resources: 1 added, 0 changed, 0 destroyed.'],
        },
        { files: {}, command: 'output --raw range --sandbox', prints: ['10.20.0.0/24'] },
      ],
    },
  ],
}

const environments: Topic = {
  names: ['environments', 'default_environment'],
  title: 'environments',
  about: [
    'An environment is a variant of the project with values and a state of its own, chosen with `-e NAME`. It must be declared below `environments` in `iac.yaml`. Without `state` its state lies beside that of the project, with `-NAME` before the extension.',
    'What differs between environments are the values of variables: manifests are the same for all.',
    '`default_environment` names the one that is meant without `-e`. Where it is not set, a plan without `-e` begins with the state that it is for and the environments that there are.',
    "Two environments in one workspace know of each other's objects through their states: what that of another holds is neither called unmanaged nor taken over, as long as it can be read. A workspace for each is better: there names do not meet, and a plan, an import or a drift of one needs no state of another.",
  ],
  fields: schemaFields(projectSchema, ['environments']).filter((one) => !one.path.includes('.state.')),
  scenes: [
    {
      title: 'A smaller range for staging',
      stages: [
        {
          files: {
            'iac.yaml': `apiVersion: iac/v1
kind: Project
name: shop
variables:
  region: { type: string, default: fra-1 }
  range: { type: string }
environments:
  staging:
    variables: { range: 10.20.0.0/26 }
  production:
    variables: { range: 10.30.0.0/16 }
`,
            'main.yaml': network,
          },
          command: 'plan --sandbox -e staging',
          prints: ['10.20.0.0/26', 'Plan: 1 to add, 0 to change, 0 to destroy.'],
        },
        { files: {}, command: 'apply --sandbox -e staging --auto-approve', prints: ['Apply complete! Resources: 1 added, 0 changed, 0 destroyed.'] },
        { files: {}, command: 'plan --sandbox -e production', prints: ['10.30.0.0/16', 'Plan: 1 to add, 0 to change, 0 to destroy.'] },
        {
          files: {
            'iac.yaml': `apiVersion: iac/v1
kind: Project
name: shop
variables:
  region: { type: string, default: fra-1 }
  range: { type: string }
default_environment: staging
environments:
  staging:
    variables: { range: 10.20.0.0/26 }
  production:
    variables: { range: 10.30.0.0/16 }
`,
          },
          command: 'plan --sandbox',
          prints: ['No changes.'],
        },
      ],
    },
  ],
}

const provider: Topic = {
  names: ['provider'],
  title: 'provider',
  about: [
    '`provider.workspace` is the workspace of all resources that name none in `metadata.workspace`: the name of a Workspace manifest, `{ id: "…" }` or `{ name: "…" }`. Without both it is the only one that the caller sees.',
    'Where the API is and who calls never stands in a project: `iac login` stores a session for one address, or `IAC_BASE_URL` and `IAC_TOKEN` say it (`iac explain IAC_TOKEN`).',
  ],
  fields: schemaFields(projectSchema, ['provider']).filter((one) => !one.path.startsWith('provider.compat.')),
  scenes: [
    {
      title: 'A workspace by its name',
      stages: [
        {
          files: {
            'iac.yaml': `apiVersion: iac/v1
kind: Project
name: shop
provider:
  workspace: { name: default }
`,
            'main.yaml': plainNetwork,
          },
          command: 'plan --sandbox',
          prints: ['Plan: 1 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

const state: Topic = {
  names: ['state'],
  title: 'state',
  about: [
    'The state is what iac remembers: which object belongs to which address, and how it was last applied. It is written before anything depends on it, so that an apply that was killed goes on where it was. Beside it stand its journal, its lock and its history.',
    'By default it is `.iac/state.json` in the project; with `--sandbox` it is another one, whatever is configured. Sensitive values are never in it. `iac state list` and the other `iac state` commands work on it.',
    'A team, a pipeline and a scheduled check share a state in a PostgreSQL database: `state: { backend: postgres }`. Where the database is and who calls stand in the environment alone: `IAC_STATE_URL`, which is written `postgresql://USER:PASSWORD@HOST:5432/DATABASE`, with `?sslmode=verify-full` behind it where the way there is not your own; or `PGHOST` and the like. The state is the row named after the project, which needs a `name:` for that (`name` in the settings overrides it, an environment adds `-NAME`) in the tables of one schema (`iac`, or `schema`), which the first apply makes. The role needs `CREATE` on the database for that, or a schema that was made for it, with `USAGE` and `CREATE`; afterwards `USAGE` on the schema and `SELECT, INSERT, UPDATE, DELETE` on its tables. Whoever only plans needs `SELECT`.',
    'Or they share it in a bucket of S3, or of a store that speaks its protocol and keeps to conditions (`If-None-Match`, `If-Match`; each lock finds out): `state: { backend: s3, bucket: NAME, region: REGION }`. Beside the object `key` (`NAME/state.json` after the project, which needs a `name:` for that; an environment adds `-NAME`) stand `KEY.lock`, `KEY.journal/…` and `KEY.history/…`. Who calls is looked for where the tools of AWS look, and the first place counts: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; a web identity (`AWS_WEB_IDENTITY_TOKEN_FILE` and `AWS_ROLE_ARN`), as pipelines and clusters give it to their jobs; a profile of `~/.aws/credentials` or `~/.aws/config` (`AWS_PROFILE`, `AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`) with keys or a web identity; the role of a container (`AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `…_FULL_URI`); the role of a machine of EC2, unless `AWS_EC2_METADATA_DISABLED` is `true`. Keys that end are had anew before they do, in the middle of an apply, too. Single sign-on, roles of other profiles and programs that give keys are left to those tools: `eval "$(aws configure export-credentials --format env)"`. An `endpoint` that is neither one of S3 nor on loopback counts only where the environment names the same host (`IAC_STATE_HOST`, or `AWS_ENDPOINT_URL_S3`). The caller needs `s3:ListBucket` on the bucket, and `s3:GetObject`, `s3:PutObject` and `s3:DeleteObject` on `KEY` and what begins with it; whoever only plans needs the first two. An apply sends two requests for each group of journal lines, which is what came while the one before was under way, about a dozen to begin and to end, and one for each sign of life.',
    "Or on a server that speaks OpenTofu's protocol, as GitLab and Gitea do: `state: { backend: http, address: URL, lock_address: URL, unlock_address: URL }`, for those two with `lock_method: POST, unlock_method: DELETE`; each of them from OpenTofu's `TF_HTTP_…` variables, too. All addresses are at one host, https or on loopback; `TF_HTTP_USERNAME` and `TF_HTTP_PASSWORD` go only to a host that the environment names (`TF_HTTP_ADDRESS`, `IAC_STATE_HOST`). Journal, history and the lock's record stand in the state's document, or the journal and the record in one of their own (`journal_address`). An environment adds `-NAME` to the last part of each address; what stands behind the state's own address goes with it. Whoever applies may read, write and lock (Maintainer in GitLab), whoever plans may read (Developer). Without lock addresses there is no lock, and each run warns. An apply writes the document once to begin, once for each group of journal lines, and once to end; before each write it reads it.",
    'With `state: { encryption: { keys: [env:IAC_STATE_KEY] } }` the state, its journal, its history and saved plans are encrypted (AES-256-GCM) on every backend, by the first of the keys; all of them decrypt. A key is 32 bytes in base64, or a passphrase of at least 16 characters. A missing or wrong key is 9, a state in clear, too, until `iac state rekey` encrypts it; after another first key it is what gives that key to the whole history.',
    '`iac state migrate --to FILE` moves a state to where the state settings of another project file say, with its journal and history; the old place then says where it went. Those of other environments are moved by the same command with `-e NAME`; it says which are left.',
    'One run at a time holds the lock. It gives a sign of life six times in a lease (`IAC_LOCK_LEASE`, 60 s by default), begins nothing more once two thirds of one have passed without, and can be superseded after a whole one: a runner that died needs no manual step. What a superseded run still writes is refused. `iac status` names the holder, `iac state unlock ID` takes the lock from it, and `iac state unlock --damaged` puts a free one in the place of what cannot be read; neither needs the key of an encrypted state.',
    'A state that cannot be read (9) is put back by `iac state restore` from its history, or by `iac state push FILE` from a copy that `iac state pull` printed. Both say where that is older than what was written last.',
  ],
  fields: schemaFields(projectSchema, ['state']),
  scenes: [
    {
      title: 'A state beside the manifests',
      stages: [
        {
          files: {
            'iac.yaml': `apiVersion: iac/v1
kind: Project
name: shop
state: { backend: local, path: states/shop.json }
`,
            'main.yaml': plainNetwork,
          },
          command: 'plan --sandbox',
          prints: ['Plan: 1 to add, 0 to change, 0 to destroy.'],
        },
      ],
    },
  ],
}

/** The sections on iac.yaml, in the order of the page. */
export const projectTopics = { variables, outputs, environments, provider, state }
