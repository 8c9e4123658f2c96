// A composite action for workflows of one's own: it installs a release and runs one command of it.
import type { planNumbers } from '../../render/formats/plan-numbers.ts'
import { indented, installLines, releaseFile } from './pipeline.ts'

/** What a run leaves behind as outputs of its step. */
const outputs: Readonly<Record<keyof ReturnType<typeof planNumbers> | 'exitcode', string>> = {
  changes: 'true where an apply would change anything; it records things without, too',
  to_add: 'how many are added, replacements among them',
  to_change: 'how many are changed in place',
  to_destroy: 'how many are destroyed, replacements among them',
  to_replace: 'how many are replaced',
  to_import: 'how many are taken over',
  drift: 'true where others changed anything',
  monthly_delta: 'the difference of price a month',
  review: 'what apply --expect-review takes',
  exitcode: 'the exit code of the command',
}

/** Once in a job: the checksum of what is installed is left for the next use. */
const install: readonly string[] = [
  'if [ "${IAC_INSTALLED_SHA256:-}" = "$IAC_RELEASE_SHA256" ] && [ -n "$IAC_RELEASE_SHA256" ]; then exit 0; fi',
  'IAC_RELEASE_URL="${IAC_RELEASE_URL//VERSION/$IAC_RELEASE_VERSION}"',
  ...installLines('echo "$place/bin" >> "$GITHUB_PATH"'),
  'echo "IAC_INSTALLED_SHA256=$IAC_RELEASE_SHA256" >> "$GITHUB_ENV"',
]

/** Words and quotes are taken as a shell would take them, and nothing in them is carried out. */
const run: readonly string[] = [
  'words="$(mktemp)"',
  String.raw`printf '%s\n' "$IAC_COMMAND" "$IAC_ARGS" | xargs -r printf '%s\0' > "$words"`,
  `mapfile -d '' -t given < "$words"`,
  'rm "$words"',
  'iac "${given[@]}"',
]

function input(name: string): string {
  return `\${{ inputs.${name} }}`
}

/** `action.yml`. */
export function githubAction(): string {
  return `# Made by \`npm run generate\`; changes belong into the sources.
name: iac
description: Installs a release of iac by its checksum, and runs one command of it
inputs:
  command: { description: 'What is run: validate, plan, apply, drift, comment …', required: true }
  args: { description: 'Its flags and arguments, in words as in a shell; quotes keep a word together', default: '' }
  url: { description: 'Where ${releaseFile('VERSION')} lies, by https; VERSION in it stands for the input', required: true }
  sha256: { description: 'What SHA256SUMS of the release says of it', required: true }
  version: { description: 'What VERSION in the url stands for', default: '' }
  working-directory: { description: 'The folder of the project', default: '.' }
outputs:
${Object.entries(outputs)
  .map(([name, about]) => `  ${name}: { description: '${about}', value: '\${{ steps.run.outputs.${name} }}' }\n`)
  .join('')}runs:
  using: composite
  steps:
    - name: Install iac
      shell: bash
      env:
        IAC_RELEASE_URL: ${input('url')}
        IAC_RELEASE_SHA256: ${input('sha256')}
        IAC_RELEASE_VERSION: ${input('version')}
      run: |
${indented(install, 8)}    - name: Run iac
      id: run
      shell: bash
      working-directory: ${input('working-directory')}
      env:
        IAC_COMMAND: ${input('command')}
        IAC_ARGS: ${input('args')}
      run: |
${indented(run, 8)}`
}
