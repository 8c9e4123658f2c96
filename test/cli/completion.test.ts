// What the shells complete: the scripts are run by the shells themselves, those that are not installed are left out.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatsOf } from '../../src/cli/apply/formats.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { newFolder, runCli } from './run-cli.ts'

const folder = newFolder()
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
const scripts: Record<string, string> = {}

beforeAll(async () => {
  writeFileSync(join(folder, 'today.plan'), '')
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await runCli(['completion', shell], { folder })
    writeFileSync(join(folder, `script.${shell}`), stdout)
    scripts[shell] = stdout
  }
})

/** What a bash on a terminal prints when keys are typed there, with an `iac` that says what it was given last. */
function typed(keys: string): string {
  const input = `PS1=; source script.bash; iac() { printf 'given %s\\n' "\${@: -1}" | sed 's/--out=//'; }\n${keys}exit\n`
  return execFileSync('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], { cwd: folder, encoding: 'utf8', input })
}

function has(shell: string): boolean {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0
  if (!isThere) console.warn(`\n*** SKIPPED: completion in ${shell}, which is not installed (apt-get install ${shell}) ***\n`)
  return isThere
}

/** The words before the cursor, the last one begun, and what must be offered for it: in this order, all of it, or (as a pattern) among the rest. */
const rows: readonly { readonly words: readonly string[]; readonly offers: readonly string[] | RegExp }[] = [
  { words: [''], offers: /\binit validate fmt plan .*\bhelp\b/ },
  { words: ['pl'], offers: ['plan'] },
  { words: ['--sandbox', 'pl'], offers: ['plan'] },
  { words: ['-e', 'plan', 'val'], offers: ['validate'] },
  { words: ['--lock-timeout', '5m', '--json', 'state', 'm'], offers: ['mv', 'migrate'] },
  { words: ['--sand'], offers: ['--sandbox'] },
  { words: ['state', ''], offers: /^list show mv rm / },
  { words: ['state', 'm'], offers: ['mv', 'migrate'] },
  { words: ['plan', '--json', '--detailed'], offers: ['--detailed-exitcode'] },
  { words: ['plan', '--hel'], offers: ['--help'] },
  { words: ['plan', '--format', ''], offers: formatsOf('plan') },
  { words: ['plan', '--target', 'Vpc/x', '--det'], offers: ['--detailed-exitcode'] },
  { words: ['drift', '--format', 'js'], offers: ['json'] },
  { words: ['explain', 'Inst'], offers: ['Instance'] },
  { words: ['explain', 'for_'], offers: ['for_each'] },
  { words: ['explain', 'cidr_'], offers: ['cidr_subnet', 'cidr_host'] },
  { words: ['explain', 'IAC_B'], offers: ['IAC_BASE_URL'] },
  { words: ['get', 'v'], offers: ['Vpc', 'VpcAttachment'] },
  { words: ['schema', 'vpca'], offers: ['VpcAttachment'] },
  { words: ['help', 'val'], offers: ['validate'] },
  { words: ['help', 'state', 'pu'], offers: ['pull', 'push'] },
  { words: ['completion', 'f'], offers: ['fish'] },
  { words: ['graph', '--json', '--format', ''], offers: ['svg', 'mermaid', 'dot', 'json'] },
  { words: ['sandbox', '--clock', 'j'], offers: ['jumping'] },
  { words: ['sandbox', '--fault', 'outa'], offers: ['outage'] },
  { words: ['sandbox', '--data', 'env', '--time'], offers: ['--time-scale'] },
  // A path, where the flag takes one; nothing, where it takes a text.
  { words: ['plan', '--out', 'today'], offers: ['today.plan'] },
  { words: ['plan', '-f', 'today'], offers: ['today.plan'] },
  { words: ['api', '--input', 'today'], offers: ['today.plan'] },
  { words: ['api', '-f', 'today'], offers: [] },
  { words: ['plan', '--env', 'today'], offers: [] },
  { words: ['plan', '--target', 'today'], offers: [] },
]

test('every script knows every command and its flags', () => {
  for (const script of Object.values(scripts)) {
    for (const name of Object.keys(commandTable)) expect(script).toContain(name.split(' ').at(-1))
    expect(script).toContain('detailed-exitcode')
    expect(script).toContain('FirewallRule')
  }
})

describe('bash', () => {
  const isPath = ({ offers }: (typeof rows)[number]): boolean => Array.isArray(offers) && offers.includes('today.plan')
  test.each(rows.filter((row) => !isPath(row)))('completes $words', ({ words, offers }) => {
    const script = 'source script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _iac; printf "%s\\n" "${COMPREPLY[@]}"'
    const offered = execFileSync('bash', ['--norc', '-c', script, 'bash', 'iac', ...words], { cwd: folder, encoding: 'utf8' })
    expectOffers(offered.split('\n').filter(Boolean), offers)
  })
  test('completes a value behind =, which is a word of its own there', () => {
    const script = 'source script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _iac; printf "%s\\n" "${COMPREPLY[@]}"'
    const offered = (...words: string[]): string =>
      execFileSync('bash', ['--norc', '-c', script, 'bash', 'iac', ...words], { cwd: folder, encoding: 'utf8' }).trim()
    expect(offered('graph', '--format', '=')).toBe('svg\nmermaid\ndot\njson')
    expect(offered('graph', '--format', '=', 'd')).toBe('dot')
    expect(offered('--env', '=', 'prod', 'pl')).toBe('plan')
  })
  test.runIf(hasTerminal).each([...rows.filter(isPath).map((row) => row.words.join(' ')), 'plan --out=today'])(
    'completes a path on a terminal: %s',
    (words) => {
      expect(typed(`iac ${words}\t\n`)).toContain('given today.plan')
    },
  )
  test.runIf(hasTerminal)('runs nothing that the name of a file says', () => {
    writeFileSync(join(folder, 'zz$(touch pwned).yaml'), '')
    expect(typed('iac plan -f zz\t\n')).toContain('given zz$(touch pwned).yaml')
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
})

describe.runIf(has('fish'))('fish', () => {
  test.each(rows)('completes $words', ({ words, offers }) => {
    const script = 'source script.fish; complete -C "$argv[1]"'
    const offered = execFileSync('fish', ['--no-config', '-c', script, `iac ${words.join(' ')}`], { cwd: folder, encoding: 'utf8' })
    const found = offered.split('\n').map((line) => line.split('\t')[0] ?? '')
    // Fish sorts by itself.
    if (Array.isArray(offers)) expect(found.filter(Boolean).toSorted()).toEqual([...offers].toSorted())
    else expect(found).toEqual(expect.arrayContaining(words[0] === '' ? ['init', 'plan', 'help'] : ['list', 'show']))
  })
})

describe.runIf(has('zsh'))('zsh', () => {
  test.each(rows)('completes $words', ({ words, offers }) => {
    const stubs = 'compdef() { :; }; compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@"; }; _files() { print -rl -- *(N); }'
    const script = `${stubs}; source ./script.zsh; words=("$@"); CURRENT=$#; _iac`
    const begun = words.at(-1) ?? ''
    const offered = execFileSync('zsh', ['-f', '-c', script, 'zsh', 'iac', ...words], { cwd: folder, encoding: 'utf8' })
    expectOffers(
      offered.split('\n').filter((line) => line !== '' && line.toLowerCase().startsWith(begun.toLowerCase())),
      offers,
    )
  })
})

function expectOffers(offered: readonly string[], offers: readonly string[] | RegExp): void {
  if (offers instanceof RegExp) expect(offered.join(' ')).toMatch(offers)
  else expect(offered).toEqual(offers)
}
