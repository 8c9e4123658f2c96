// Every diagnostic code: its severity, the exit code it leads to, and what `iac explain CODE` says of it.

export type Severity = 'error' | 'warning' | 'note'

/** Exit codes: schemas/reference/diagnostics.md says what each means. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 130 | 143

interface Entry {
  readonly severity: Severity
  readonly exit: ExitCode
  readonly explanation: string
}

function define<T extends Record<string, Entry>>(entries: T): { readonly [K in keyof T]: Entry } {
  return Object.freeze(entries)
}

/** The catalogue; keys are stable and never change their meaning. */
export const catalogue = define({
  usage: { severity: 'error', exit: 3, explanation: 'The command line is wrong: an unknown flag, a value out of range, or flags that exclude each other.' },
  internal: { severity: 'error', exit: 1, explanation: 'A defect of iac itself. Nothing that was recorded is lost; please report it with the stack.' },

  // How much there is
  too_much_work: {
    severity: 'error',
    exit: 3,
    explanation:
      'Loading was stopped at this place: the project asks for more work than is done for one, by its size, by what its expressions compute, or by the number of its mistakes. The limits are several times what 100,000 resources take.',
  },
  more_errors: { severity: 'error', exit: 3, explanation: 'There are more mistakes than are told: 100,000 are, the others are counted.' },
  more_warnings: { severity: 'warning', exit: 0, explanation: 'There are more warnings than are told: 100,000 are, the others are counted.' },

  // Files and syntax
  file_unreadable: {
    severity: 'error',
    exit: 3,
    explanation: 'A file cannot be read as a manifest: it is missing, too large, not a regular file, outside of the project, or not UTF-8.',
  },
  yaml_syntax: { severity: 'error', exit: 3, explanation: 'A document is not valid YAML 1.2. Only this document is left out of the checks that follow.' },
  yaml_unsupported: {
    severity: 'error',
    exit: 3,
    explanation: 'YAML that iac refuses on purpose: merge keys, custom tags, deep nesting, alias bombs, control characters or reserved keys.',
  },
  yaml_duplicate_key: { severity: 'error', exit: 3, explanation: 'A map holds the same key twice.' },
  no_resources: { severity: 'warning', exit: 0, explanation: 'The project holds no manifest.' },
  wrong_api_version: {
    severity: 'error',
    exit: 3,
    explanation:
      'A document has the kind of a manifest and metadata or a spec, but not the line apiVersion: iac/v1. Left alone as a document of another tool, what it declares would be destroyed.',
  },
  unsupported_version: { severity: 'error', exit: 3, explanation: 'The document names a version of iac manifests that this iac does not know.' },

  // Manifests
  unknown_kind: { severity: 'error', exit: 3, explanation: 'No kind has this name. `iac explain` lists the kinds.' },
  unknown_field: { severity: 'error', exit: 3, explanation: 'The field does not exist at this place. `iac explain KIND` lists the fields.' },
  missing_field: { severity: 'error', exit: 3, explanation: 'A required field is absent.' },
  invalid_value: { severity: 'error', exit: 3, explanation: 'The value has the wrong type, is out of range, or breaks a rule of the service.' },
  invalid_name: { severity: 'error', exit: 3, explanation: 'A logical name is [A-Za-z_][A-Za-z0-9_-]{0,62}.' },
  duplicate_resource: { severity: 'error', exit: 3, explanation: 'Two manifests declare the same address, or the same unique object.' },
  conflict: { severity: 'error', exit: 3, explanation: 'Two manifests, or two fields, exclude each other.' },
  unknown_reference: {
    severity: 'error',
    exit: 3,
    explanation: 'A reference names a resource that is not declared. Use { id: … } or { name: … } for what this project does not manage.',
  },
  ambiguous_reference: { severity: 'error', exit: 3, explanation: 'A reference fits several objects, or a for_each without a key.' },
  cycle: { severity: 'error', exit: 3, explanation: 'Resources depend on each other in a circle.' },
  expression: {
    severity: 'error',
    exit: 3,
    explanation: 'An expression in ${…} cannot be parsed, names something that is not in scope, or gives a value that does not fit.',
  },
  unknown_variable: { severity: 'error', exit: 3, explanation: 'A variable is used or given that the project does not declare.' },
  missing_variable: { severity: 'error', exit: 3, explanation: 'A declared variable has no value and no default.' },
  unknown_environment: { severity: 'error', exit: 3, explanation: 'The environment is not declared in the project file.' },
  secret_literal: { severity: 'warning', exit: 0, explanation: 'A manifest holds something that looks like a secret. Use a sensitive variable.' },
  sensitive_name: {
    severity: 'error',
    exit: 3,
    explanation:
      'A sensitive value cannot be a name, a for_each key or an address, nor what a reference points at or what is sent is computed of, and it cannot decide whether something is there.',
  },
  lookup_failed: { severity: 'error', exit: 3, explanation: 'A lookup by name found no object, or several.' },
  exists: {
    severity: 'error',
    exit: 3,
    explanation: 'The object exists already and is not in this state. What no other environment manages is taken over with `iac import ADDRESS ID`.',
  },
  import_replaced: {
    severity: 'error',
    exit: 3,
    explanation: 'The object to import would be replaced, and so destroyed, by the plan that takes it over. Write its manifest as the object is.',
  },
  import_conflict: { severity: 'error', exit: 3, explanation: 'The import names an object or address that is already managed.' },
  moved_conflict: { severity: 'error', exit: 3, explanation: 'A moved or removed block does not fit the manifests or the state.' },
  plan_impossible: { severity: 'error', exit: 3, explanation: 'No order of calls reaches what the manifests say; the detail names the resources.' },
  unsupported_change: { severity: 'error', exit: 3, explanation: 'The service offers no call for this change.' },

  // Reaching the service
  no_credentials: {
    severity: 'error',
    exit: 4,
    explanation: 'Sign in with `iac login`, set IAC_BASE_URL and IAC_TOKEN (or IAC_TOKEN_FILE), or use --sandbox.',
  },
  bad_address: { severity: 'error', exit: 3, explanation: 'The address of the API is not allowed: https, or http on loopback, without user or password.' },
  bad_token: { severity: 'error', exit: 4, explanation: 'The token holds characters that no token has.' },
  unauthorized: { severity: 'error', exit: 4, explanation: 'The service does not accept the token, or the role does not allow the call.' },
  api_error: { severity: 'error', exit: 1, explanation: 'The service refused a call or answered something that cannot be understood.' },
  unreachable: { severity: 'error', exit: 1, explanation: 'The service cannot be reached.' },
  forge_refused: {
    severity: 'error',
    exit: 4,
    explanation:
      'GitHub, GitLab or Gitea does not let the token write, or there is none: GITHUB_TOKEN, GITLAB_TOKEN (a job token cannot write notes) or GITEA_TOKEN.',
  },
  forge_unreachable: { severity: 'error', exit: 1, explanation: 'GitHub, GitLab or Gitea cannot be reached, or limits how often it is called.' },
  forge_error: { severity: 'error', exit: 1, explanation: 'GitHub, GitLab or Gitea refused a request or answered something that cannot be understood.' },
  clock_skew: {
    severity: 'error',
    exit: 1,
    explanation: 'The clock of this machine differs from that of the service: codes of an authenticator do not fit then, and times are told wrong.',
  },
  object_invisible: {
    severity: 'error',
    exit: 9,
    explanation: 'An object of the state is visible to its owner alone, and the caller is not known to be that: it may be there although it is not found.',
  },
  workspace_invisible: { severity: 'error', exit: 9, explanation: 'A workspace of the state is not visible: wrong address, or another account?' },

  // Guards
  guard_protected: { severity: 'error', exit: 5, explanation: 'The plan would destroy or replace a resource that prevent_destroy protects.' },
  guard_policy: {
    severity: 'error',
    exit: 5,
    explanation:
      'The plan breaks a policy, or the policy cannot be judged. `--override NAME --reason TEXT` lets it pass, and is kept in the history of the state.',
  },
  policy_warning: {
    severity: 'warning',
    exit: 0,
    explanation: 'The plan breaks a policy whose level is warn, one that was overridden, or one that can only be judged on the way.',
  },
  guard_cost: { severity: 'error', exit: 5, explanation: 'The plan adds more to the costs of a month than guards.max_monthly_increase allows.' },
  guard_budget: { severity: 'error', exit: 5, explanation: 'The plan destroys more than max_destroy allows. Allow more with --max-destroy N.' },
  guard_no_destroy: { severity: 'error', exit: 5, explanation: '--no-destroy was given and the plan holds a delete or a replacement.' },
  guard_empty: {
    severity: 'error',
    exit: 5,
    explanation: 'The project holds no manifest while the state holds resources. Use `iac destroy` if this is meant.',
  },
  guard_quota: { severity: 'error', exit: 5, explanation: 'The plan needs more than the quota of the workspace allows.' },

  // Plans, state, locks
  plan_stale: { severity: 'error', exit: 6, explanation: 'State, live objects or the project have changed since the plan was made.' },
  locked: { severity: 'error', exit: 7, explanation: 'Another run holds the lock.' },
  state_gone: {
    severity: 'error',
    exit: 7,
    explanation:
      'The files of a local state, its lock among them, were removed, moved away or replaced by older ones while a run held it. The run begins nothing more. Put them back; where they are lost, take over what it has made with `iac import` before the next apply.',
  },
  plan_damaged: {
    severity: 'error',
    exit: 9,
    explanation:
      'The file is no plan, was altered after it was made, or was made by another version of iac. Nothing was changed. Make a new one with `iac plan --out FILE`.',
  },
  plan_unsigned: {
    severity: 'error',
    exit: 9,
    explanation:
      'IAC_PLAN_KEY is set, so that apply takes signed plans alone, and the plan has no signature or one of another key. Nothing was changed. Make it with the same key: `iac plan --out FILE`.',
  },
  plan_key: { severity: 'error', exit: 9, explanation: 'IAC_PLAN_KEY is neither 32 bytes in base64 nor a passphrase of at least 16 characters.' },
  state_damaged: {
    severity: 'error',
    exit: 9,
    explanation: 'State, journal or key is damaged or does not fit. Nothing was changed. See `iac state history` and `iac state restore`.',
  },
  state_other: {
    severity: 'error',
    exit: 9,
    explanation: 'What stands in the place of the state was written by a newer iac or by another tool. It is left untouched by every command.',
  },
  state_unsealed: {
    severity: 'error',
    exit: 9,
    explanation: 'The state is in clear, and `state.encryption` in iac.yaml says that it is encrypted. Encrypt what you trust with `iac state rekey`.',
  },
  state_key: {
    severity: 'error',
    exit: 9,
    explanation:
      'The state, its journal, its history or a saved plan is encrypted, and the keys that `state.encryption` in iac.yaml names are missing, are none, or do not open it. Nothing was changed.',
  },
  state_foreign: {
    severity: 'error',
    exit: 9,
    explanation:
      'The state is that of another project or environment. Nothing was changed. Two must not share a state; after a rename, write the new name into it by `iac state pull` and `iac state push`.',
  },
  state_undelivered: {
    severity: 'error',
    exit: 8,
    explanation:
      'The backend that holds the state was lost in the middle of a run. Nothing more was begun, and what ran was waited for; what could not be stored there is kept beside the project, and the next run from there delivers it.',
  },
  state_moved: {
    severity: 'error',
    exit: 9,
    explanation:
      'The state was moved to another place by `iac state migrate`, and what stands here only says where to; or such a move to this place has not come to its end. Nothing was changed. Use the project file that names the new place, or run the move again where it was begun.',
  },
  state_unmoved: {
    severity: 'error',
    exit: 9,
    explanation:
      'The state settings name a place that holds no state yet, while the former state still lies in the folder of the project, at another path, or there is one that nobody can name any more, since its environment is no longer declared, or a default environment hides it. Everything would be made a second time. Nothing was changed. Let the settings name it again, move it with `iac state migrate`, declare the environment again (or take the default out), or take its file away.',
  },
  file_unwritable: { severity: 'error', exit: 1, explanation: 'A file that the command writes, such as that of --out, cannot be written there.' },
  unsafe_place: {
    severity: 'error',
    exit: 9,
    explanation:
      'A folder or file in which iac keeps its own data is a link, belongs to another user, can be written by others, or came with the repository. Whoever put it there could make iac overwrite files or act on a made-up state, so nothing is read or written there.',
  },
  state_io: { severity: 'error', exit: 1, explanation: 'The state cannot be read or written here.' },
  state_unreachable: {
    severity: 'error',
    exit: 9,
    explanation:
      'The backend that holds the state cannot be reached, or is none that can be relied on. Nothing was sent to the service. Check where the state settings and the environment say that it is.',
  },
  state_refused: {
    severity: 'error',
    exit: 4,
    explanation:
      'The backend that holds the state refuses the caller. Nothing was sent to the service. Check the user, the password or keys, and the rights they have.',
  },
  state_command: { severity: 'error', exit: 3, explanation: 'A state command names something that is not there, or would make the state contradict itself.' },

  // Apply
  operation_failed: { severity: 'error', exit: 8, explanation: 'An operation failed. What was done is recorded; run again to go on.' },
  request_foreign: {
    severity: 'error',
    exit: 8,
    explanation:
      'A request was held back, and nothing more was begun: it is no call of its kind, not about its own object, or not what the plan does with it. State, settings or iac itself are not as they should be.',
  },
  operation_unknown: { severity: 'error', exit: 8, explanation: 'The outcome of a call is unknown. The next run settles it.' },
  operation_timeout: { severity: 'error', exit: 8, explanation: 'An operation did not end in time. Its workflow goes on; the next run waits for it again.' },
  ambiguous_adoption: {
    severity: 'error',
    exit: 8,
    explanation:
      'Which object an unfinished create made cannot be told: more fit than there are creates, another environment may have made it, or the one that fits differs in what can change. Import the right one, or forget the create.',
  },
  interrupted: { severity: 'error', exit: 130, explanation: 'The run was stopped. What was under way is recorded.' },
  changed_elsewhere: { severity: 'error', exit: 8, explanation: 'The object changed between plan and apply.' },

  // Advice
  advice: { severity: 'warning', exit: 0, explanation: 'Something worth knowing before this plan is applied.' },
  note: { severity: 'note', exit: 0, explanation: 'A change that has no effect now, said so that nobody is surprised.' },
  possible_duplicate: {
    severity: 'warning',
    exit: 0,
    explanation: 'An object that this state does not hold has the natural key of one that it holds, or that is to be made.',
  },
})

export type Code = keyof typeof catalogue
