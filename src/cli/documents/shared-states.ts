// What a project needs for a state that many machines reach: lines of iac.yaml, and the rights of whoever calls.
import type { StateSettings } from '../../project/resolving/declared.ts'

/** A state that needs more than the default one. */
export interface SharedState {
  /** For iac.yaml. */
  readonly lines: string
  /** What has to be there outside of the project, in lines for people. */
  readonly needs: string
  /** Of that what even a plan against the embedded service needs, in words; absent for nothing. */
  readonly first?: string
}

/** By the name of the backend, as `iac init --state` takes it. */
export const sharedStates: { readonly [Name in Exclude<StateSettings['backend'], 'local'>]: SharedState } = {
  postgres: {
    lines: 'state: { backend: postgres }\n',
    needs: `The state lies in a PostgreSQL database. Before the first apply:
  export IAC_STATE_URL='postgresql://USER:PASSWORD@HOST:5432/DATABASE?sslmode=verify-full'
Rights of the role that applies: CREATE on the database, for the schema iac that the first apply makes. Or, with the schema made beforehand:
  CREATE SCHEMA iac; GRANT USAGE, CREATE ON SCHEMA iac TO applier;
Of one that only plans, after the first apply:
  GRANT USAGE ON SCHEMA iac TO planner; GRANT SELECT ON ALL TABLES IN SCHEMA iac TO planner;
`,
  },
  s3: {
    first: 'write the name of the bucket into iac.yaml',
    lines: 'state: { backend: s3, bucket: NAME-OF-THE-BUCKET, region: us-east-1 }\n',
    needs: `The state lies in a bucket of S3, or of a store that keeps to conditional writes (then with endpoint). Before the first apply:
  write the bucket's name and region into iac.yaml
  export AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=...    # or AWS_PROFILE, a web identity, the role of a container or machine
  export IAC_STATE_HOST=HOST    # only with an endpoint that is none of S3's own: keys go nowhere else
Rights of whoever applies: s3:ListBucket on the bucket; s3:GetObject, s3:PutObject and s3:DeleteObject on the key (PROJECT/state.json) and what begins with it.
Of one that only plans: s3:ListBucket and s3:GetObject.
`,
  },
  http: {
    lines: 'state: { backend: http, lock_method: POST, unlock_method: DELETE }\n',
    needs: `The state lies on a server that speaks OpenTofu's protocol; the line is for GitLab and Gitea. Before the first apply, with GitLab:
  export TF_HTTP_ADDRESS=https://HOST/api/v4/projects/ID/terraform/state/NAME
  export TF_HTTP_LOCK_ADDRESS=$TF_HTTP_ADDRESS/lock TF_HTTP_UNLOCK_ADDRESS=$TF_HTTP_ADDRESS/lock
  export TF_HTTP_USERNAME=USER TF_HTTP_PASSWORD=TOKEN    # in a job: gitlab-ci-token and $CI_JOB_TOKEN
With Gitea the address is https://HOST/api/packages/OWNER/terraform/state/NAME. Other servers lock with LOCK and UNLOCK: then without both methods.
Rights of whoever applies: Maintainer of the project in GitLab, write access to packages in Gitea. Of one that only plans: Developer, or read access.
`,
  },
}

/** Undefined for the local backend, which needs nothing. */
export function sharedStateNamed(name: string): SharedState | undefined {
  return Object.entries(sharedStates).find(([own]) => own === name)?.[1]
}

/** The same state, or one in a file where there is none, encrypted by a key that the environment holds. */
export function encrypted(state: SharedState | undefined): SharedState {
  const keys = 'encryption: { keys: [env:IAC_STATE_KEY] }'
  const first = [...(state?.first === undefined ? [] : [state.first]), 'export IAC_STATE_KEY'].join(', ')
  return {
    first,
    lines: state === undefined ? `state: { ${keys} }\n` : state.lines.replace(/ \}\n$/, `, ${keys} }\n`),
    needs: `${state?.needs ?? ''}The state is encrypted. Once, before the first apply:
  export IAC_STATE_KEY="$(openssl rand -base64 32)"
Keep the key where it outlives this machine and the pipeline, apart from the state: without it nobody can read the state.
`,
  }
}
