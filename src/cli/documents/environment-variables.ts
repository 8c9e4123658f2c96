// Variables of the environment that mean something here, for the reference and `iac explain`.

/** A variable's name, as it is written or with a part in small letters that stands for any, and what it does. */
export interface EnvironmentVariable {
  readonly name: string
  readonly about: string
}

/** All of ours, then those of others that count. */
export const environmentVariables: readonly EnvironmentVariable[] = [
  { name: 'IAC_BASE_URL', about: 'address of the API: https, or http for loopback addresses. It never stands in a project.' },
  {
    name: 'IAC_TOKEN',
    about: 'token of the caller. It is taken out of the environment when the program starts, so that no child has it, and it is never stored or printed.',
  },
  { name: 'IAC_TOKEN_FILE', about: "a file with the token, where IAC_TOKEN is not set; it must not be another user's, nor writable by others." },
  { name: 'IAC_PROFILE', about: 'name of the profile to call with that `iac login` stored; IAC_TOKEN and IAC_TOKEN_FILE count for nothing then.' },
  {
    name: 'IAC_STATE_DIR',
    about: 'a folder for states outside of the project: `state.path` may lie below it, too. A relative one is taken from the working directory.',
  },
  {
    name: 'IAC_STATE_URL',
    about:
      'where the database of a state is, with user and password: `postgresql://USER:PASSWORD@HOST:5432/DATABASE?sslmode=verify-full`. Without it `PGHOST`, `PGPORT`, `PGDATABASE`, `PGUSER`, `PGPASSWORD` and `PGSSLMODE` say so. Over a network it is spoken to with TLS alone, unless `sslmode=disable` is said there.',
  },
  {
    name: 'IAC_STATE_HOST',
    about:
      'the host, or host:port, that the keys of a shared state may be used at, or its password sent to, where iac.yaml names it as `state.endpoint` or `state.address`.',
  },
  {
    name: 'IAC_LOCK_LEASE',
    about: 'how long the lock of a shared state outlives the last sign of life of the run that holds it; `60s` without it, `5s` at least.',
  },
  {
    name: 'IAC_STATE_KEY',
    about:
      'the usual name of the key of an encrypted state, 32 bytes in base64 or a passphrase of at least 16 characters; `state.encryption.keys` says which variables hold keys.',
  },
  {
    name: 'IAC_POLICIES',
    about: 'files of policies that every plan, apply and validate holds manifests against, joined as PATH is',
  },
  {
    name: 'IAC_PLAN_KEY',
    about:
      'key that `plan --out` signs with: 32 bytes in base64, or a passphrase of at least 16 characters. Where it is set, `apply PLANFILE` takes plans with a valid signature alone. It is taken out of the environment as the token is.',
  },
  { name: 'IAC_VAR_name', about: 'the value of the variable `name`; `--var` and `--var-file` go before it. Lists and maps are YAML.' },
  {
    name: 'IAC_SENSITIVE_VARS',
    about:
      'names with commas between them: the values of these variables are sensitive, whatever the project declares; for pipelines that run the projects of others. A name that a project does not declare means nothing there.',
  },
  {
    name: 'IAC_PLAN_CACHE',
    about:
      '`off`: every plan, drift and validate is computed. Without it one that found nothing to change, or nothing wrong, is kept for a day in the cache folder of the user, and told again where all that it read is as it was: files and variables, and for a plan or drift the state and every answer of the service, too.',
  },
  { name: 'CI', about: 'nothing is asked, and `output --raw` refuses a value in which the runner would find a command, unless it goes to a file.' },
  { name: 'NO_COLOR', about: 'colours off.' },
  { name: 'FORCE_COLOR', about: 'colours on where there is no terminal.' },
  { name: 'HTTPS_PROXY', about: 'the proxy for https addresses; `NO_PROXY` names hosts that are reached without it.' },
  {
    name: 'AWS_ACCESS_KEY_ID',
    about:
      'with `AWS_SECRET_ACCESS_KEY` and, where there is one, `AWS_SESSION_TOKEN`: who calls the bucket of a state. Without them it is a web identity (`AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`), a profile (`AWS_PROFILE`, `AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`), or the role of the container or machine, in this order. `AWS_REGION` says where the bucket is, `AWS_ENDPOINT_URL_S3` which store holds it, where iac.yaml does not. Both secrets are taken out of the environment as the token is.',
  },
  {
    name: 'TF_HTTP_ADDRESS',
    about:
      'where a state on a server is, for what iac.yaml does not say, as OpenTofu takes it; `TF_HTTP_LOCK_ADDRESS`, `TF_HTTP_UNLOCK_ADDRESS`, `TF_HTTP_UPDATE_METHOD`, `TF_HTTP_LOCK_METHOD` and `TF_HTTP_UNLOCK_METHOD` likewise. `TF_HTTP_USERNAME` and `TF_HTTP_PASSWORD` say who calls, and go only to the host of this address or of IAC_STATE_HOST; the password is taken out of the environment as the token is. `TF_HTTP_RETRY_MAX`, `TF_HTTP_RETRY_WAIT_MIN` and `TF_HTTP_RETRY_WAIT_MAX` say how often a request is sent again, and after how many seconds.',
  },
  {
    name: 'GITHUB_TOKEN',
    about:
      'who writes the comments of `iac comment github`, on the pull request of `GITHUB_REPOSITORY` that `GITHUB_EVENT_PATH` or `GITHUB_REF` names, at `GITHUB_API_URL`. It goes to no other host and is taken out of the environment as the token is.',
  },
  {
    name: 'GITLAB_TOKEN',
    about:
      'who writes the notes of `iac comment gitlab`, on the merge request `CI_MERGE_REQUEST_IID` of `CI_MERGE_REQUEST_PROJECT_ID` or `CI_PROJECT_ID`, at `CI_API_V4_URL`, for its commit `CI_MERGE_REQUEST_SOURCE_BRANCH_SHA` or, unless `CI_MERGE_REQUEST_EVENT_TYPE` says that it is a merge, `CI_COMMIT_SHA`; `CI_JOB_TOKEN` cannot. It goes to no other host and is taken out of the environment as the token is.',
  },
  {
    name: 'GITEA_TOKEN',
    about:
      "who writes the comments of `iac comment gitea`, at `GITEA_API_URL`, in jobs of Gitea and Forgejo at `GITHUB_API_URL`; the pull request is named as GitHub's are. It goes to no other host and is taken out of the environment as the token is.",
  },
  { name: 'NODE_EXTRA_CA_CERTS', about: 'a file of certificates that are trusted as well.' },
]

/** The variable that a word is, those of the project's variables included (`IAC_VAR_region`). */
export function environmentVariable(word: string): EnvironmentVariable | undefined {
  const upper = word.toUpperCase()
  return environmentVariables.find(({ name }) => {
    const [fixed = ''] = /^[A-Z_]+/.exec(name) ?? []
    return fixed === name ? upper === name : upper.startsWith(fixed)
  })
}

/** The variable of whose description another one is a part. */
export function variableTellingOf(word: string): EnvironmentVariable | undefined {
  return environmentVariables.find(({ about }) => about.includes(`\`${word.toUpperCase()}\``))
}
