// What a generated pipeline is, and what all of them have in common: installing a release by its checksum, and the secrets that a state wants.
import type { StateSettings } from '../../../project/resolving/declared.ts'

export type Backend = StateSettings['backend']

/** What is known of the project when a pipeline is written. */
export interface Setting {
  readonly version: string
  readonly backend: Backend
}

/** A pipeline for one forge. */
export interface Pipeline {
  /** Texts by their paths below the project. */
  readonly files: (setting: Setting) => Readonly<Record<string, string>>
  /** What has to be there outside of the project, in lines for people. */
  readonly needs: (setting: Setting) => string
  /** Whether a state in a file of the project is gone when a run ends. */
  readonly losesFiles: boolean
}

const ofState: Readonly<Record<Backend, readonly string[]>> = {
  local: [],
  postgres: ['IAC_STATE_URL'],
  s3: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  http: ['TF_HTTP_ADDRESS', 'TF_HTTP_LOCK_ADDRESS', 'TF_HTTP_UNLOCK_ADDRESS', 'TF_HTTP_USERNAME', 'TF_HTTP_PASSWORD'],
}

/** The variables that a run has to be given. */
export function secretNames(backend: Backend): readonly string[] {
  return ['IAC_TOKEN', 'IAC_BASE_URL', ...ofState[backend], 'IAC_STATE_KEY']
}

/** The same for people. */
export function secretsNeeded(backend: Backend): string {
  const known = ['IAC_TOKEN', 'IAC_BASE_URL', ...ofState[backend]].join(', ')
  return `${known}; IAC_STATE_KEY where the state is encrypted, IAC_VAR_name for variables of the project that are secret`
}

/** Whoever opens a pull request may change what iac.yaml says of a variable; `where` is what they cannot. */
export function sensitiveNeeded(where: string): string {
  return `IAC_SENSITIVE_VARS (${where}) holds the names of those variables, with commas between them: else a change that drops \`sensitive: true\` has their values told in its plan.`
}

/** The file of a release that a runner takes. */
export function releaseFile(version: string): string {
  return `iac-${version}-linux-x64.tar.gz`
}

/**
 * Lines of a shell that put the program of a release below a folder of its own, out of the checkout, once its checksum is right;
 * `last` are those that put `$place/bin` on the PATH. The package of that name on npm is somebody else's, so nothing is taken from there.
 */
export function installLines(last: string): readonly string[] {
  return [
    'place="$(mktemp -d)"',
    `curl --fail --silent --show-error --location --proto '=https' --output "$place/iac.tar.gz" "$IAC_RELEASE_URL"`,
    'echo "$IAC_RELEASE_SHA256  $place/iac.tar.gz" | sha256sum --check --strict',
    'tar -xzf "$place/iac.tar.gz" -C "$place" --strip-components=1',
    last,
  ]
}

export const releaseNeeded =
  'IAC_RELEASE_URL and IAC_RELEASE_SHA256 at the top of the file: where the release lies, and what its SHA256SUMS says of it. Nothing is run whose checksum differs.'
export const smallest = '`iac plan --needs` prints the smallest token that does.'

/**
 * A fork has no secrets: its plan is made against the embedded service, which is given what the commit declares that the change is held against,
 * where that commit is at hand. A runner's checkout may belong to another user.
 */
export function forkLines(commit: string): readonly string[] {
  const git = `git -c safe.directory='*'`
  return [
    'echo "No secrets here: this plan is made against the embedded service, and nothing of what is live is in it."',
    'base="$(mktemp -d)/base"',
    // The change may be the one that brings the project.
    `if ${git} worktree add --quiet --detach "$base" "${commit}" && from="$base/$(${git} rev-parse --show-prefix)" && [ -e "$from/iac.yaml" ]; then`,
    '  iac plan --sandbox --seed "$from"',
    'else',
    '  iac plan --sandbox',
    'fi',
  ]
}

/** A ref of the forge and what it has to be at, as a shell names them; `git` is how it is asked. */
interface Head {
  readonly git: string
  readonly origin: string
  readonly ref: string
  readonly commit: string
}

/**
 * An approval may come long after its run was made: a commit that is not the head any more would carry out what the branch has since taken back.
 * The line is held as a whole, since `ls-remote` also lists refs that only end alike.
 */
export function headLines({ git, origin, ref, commit }: Head): readonly string[] {
  return [
    `if ! heads="$(${git} ls-remote "${origin}" "${ref}")"; then`,
    `  echo "Nothing is applied: git could not ask for the head of ${ref}." >&2`,
    '  exit 1',
    'fi',
    `if ! printf '%s\\n' "$heads" | grep -Fx "$(printf '%s\\t%s' "${commit}" "${ref}")" > /dev/null; then`,
    `  echo "Nothing is applied: this run is of ${commit}, which is not the head of ${ref} any more. Approve the run of its newest commit." >&2`,
    '  exit 1',
    'fi',
  ]
}

/** Each line with spaces before it. */
export function indented(lines: readonly string[], width: number): string {
  return lines.map((line) => `${' '.repeat(width)}${line}\n`).join('')
}
