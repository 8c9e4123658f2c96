// What the shells complete: the scripts are run by the shells themselves, those that are not installed are left out.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** What a shell is given for words where an `iac` on the PATH tells these addresses, and notes what it was asked with. */
function namedBy(shell: 'bash' | 'zsh' | 'fish', words: readonly string[]): { readonly offered: readonly string[]; readonly asked: string } {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const program = `#!/bin/sh\necho "$@" > '${join(folder, 'asked')}'\nprintf '%s\\n' 'Instance/web' 'Instance/web["a b"]' 'Vpc/$(touch pwned)' 'Vpc/main'\n`
  writeFileSync(join(folder, 'bin/iac'), program)
  chmodSync(join(folder, 'bin/iac'), 0o755)
  writeFileSync(join(folder, 'asked'), '')
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` }
  const stubs = 'compdef() { :; }; compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@"; }; _files() { print -rl -- *(N); }'
  const asked = {
    bash: ['--norc', '-c', 'source script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _iac; printf "%s\\n" "${COMPREPLY[@]}"', 'bash', 'iac', ...words],
    zsh: ['-f', '-c', `${stubs}; source ./script.zsh; words=("$@"); CURRENT=$#; _iac`, 'zsh', 'iac', ...words],
    fish: ['--no-config', '-c', 'source script.fish; complete -C "$argv[1]"', `iac ${words.join(' ')}`],
  }[shell]
  const offered = execFileSync(shell, asked, { cwd: folder, encoding: 'utf8', env })
  return { offered: offered.split('\n').filter(Boolean), asked: readFileSync(join(folder, 'asked'), 'utf8').trim() }
}

describe('addresses of the project', () => {
  test.each(['bash', 'zsh', 'fish'] as const)('are offered where a command or a flag takes one, in %s, and nothing in them is run', (shell) => {
    if (!has(shell)) return
    for (const words of [
      ['plan', '--target', 'Vpc/'],
      ['--sandbox', 'state', 'show', 'Vpc/'],
      ['usage', 'Vpc/'],
    ]) {
      const { offered, asked } = namedBy(shell, words)
      expect(offered.join('\n'), words.join(' ')).toContain('Vpc/main')
      expect(asked).toBe(`completion addresses${words[0] === '--sandbox' ? ' --sandbox' : ''}`)
    }
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
  test('are quoted in bash, which inserts them as they are', () => {
    expect(namedBy('bash', ['plan', '--target', 'Vpc/']).offered).toEqual(['Vpc/\\$\\(touch\\ pwned\\)', 'Vpc/main'])
    expect(namedBy('bash', ['plan', '--target', 'Instance/']).offered).toEqual(['Instance/web', 'Instance/web\\[\\"a\\ b\\"\\]'])
    expect(namedBy('bash', ['-e', '$(touch pwned)', 'plan', '--target', 'Vpc/m'])).toEqual({
      offered: ['Vpc/main'],
      asked: 'completion addresses -e $(touch pwned)',
    })
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
  test.each(['bash', 'zsh', 'fish'] as const)('are those of the kinds that can do what is asked of them, in %s', (shell) => {
    if (!has(shell)) return
    const asked = (...words: string[]): string => namedBy(shell, [...words, '']).asked
    expect(asked('logs')).toBe('completion addresses K3sService')
    expect(asked('redeploy')).toBe('completion addresses K3sService')
    expect(asked('rollback')).toBe('completion addresses K3sService')
    expect(asked('--sandbox', 'power')).toBe('completion addresses Instance Dedibox --sandbox')
    expect(asked('metrics')).toBe('completion addresses Instance')
    expect(asked('dedibox', 'reset-vnc')).toBe('completion addresses Dedibox')
  })
  test.each(['bash', 'zsh', 'fish'] as const)('are those of the project and the environment that the line names, in %s', (shell) => {
    if (!has(shell)) return
    const asked = (...words: string[]): string => namedBy(shell, [...words, '']).asked
    // What holds '=' is three words to bash, unless its settings say otherwise.
    const split = (word: string): readonly string[] => (shell === 'bash' ? word.split(/(=)/) : [word])
    const joined = [...split('--dir=shop'), ...split('--env=prod')]
    const passed = shell === 'bash' ? '--dir shop --env prod' : '--dir=shop --env=prod'
    expect(asked('--dir', 'shop', '-e', 'prod', '--sandbox', 'state', 'rm')).toBe('completion addresses --dir shop -e prod --sandbox')
    expect(asked('state', 'rm', '--env', 'prod')).toBe('completion addresses --env prod')
    expect(asked(...joined, 'state', 'rm')).toBe(`completion addresses ${passed}`)
    expect(asked('state', 'rm', ...joined)).toBe(`completion addresses ${passed}`)
    expect(asked('--dir=shop', 'state', 'rm')).toBe('completion addresses --dir=shop')
    expect(asked('-eprod', 'logs')).toBe('completion addresses K3sService -eprod')
    expect(asked('get', 'vpcs', ...joined)).toBe(`completion names --quiet vpcs ${passed}`)
  })
  test.each(['bash', 'zsh', 'fish'] as const)('are not asked of a place that is the value of another flag, in %s', (shell) => {
    if (!has(shell)) return
    expect(namedBy(shell, ['--lock-timeout', '--sandbox', 'plan', '-exclude=Vpc/a', '--target', '']).asked).toBe('completion addresses')
  })
  test('are not asked for where a flag is begun', () => {
    expect(namedBy('bash', ['state', 'show', '--js'])).toEqual({ offered: ['--json'], asked: '' })
  })
  test.each(['bash', 'zsh', 'fish'] as const)('give way to the names of a kind behind `get`, in %s', (shell) => {
    if (!has(shell)) return
    const { offered, asked } = namedBy(shell, ['get', 'vpcs', 'Vpc/'])
    expect([offered.join('\n'), asked]).toEqual([expect.stringContaining('Vpc/main'), 'completion names --quiet vpcs'])
    expect(namedBy(shell, ['get', 'vpcs', 'main', '']).asked).toBe('')
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
  test('are those of the manifests and of a state in a file; what cannot be read has none', async () => {
    const at = newFolder()
    writeFileSync(join(at, 'main.yaml'), 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: net, range: 10.0.0.0/24 }\n')
    const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder: at })
    await run('apply', '--auto-approve')
    writeFileSync(join(at, 'main.yaml'), 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: other }\nspec: { description: net, range: 10.1.0.0/24 }\n')
    expect(await run('completion', 'addresses')).toEqual({ code: 0, stdout: 'Vpc/main\nVpc/other\n', stderr: '' })
    expect((await run('completion', 'addresses', 'Instance', 'Dedibox')).stdout).toBe('')
    expect((await run('completion', 'addresses', 'Instance', 'Vpc')).stdout).toBe('Vpc/main\nVpc/other\n')
    expect(await run('completion', 'names', 'Vpc', 'Disk')).toMatchObject({ code: 3, stderr: expect.stringContaining('names needs a KIND, and one alone') })
    writeFileSync(join(at, 'main.yaml'), 'kind: [')
    expect(await run('completion', 'addresses')).toMatchObject({ code: 0, stdout: 'Vpc/main\n' })
    writeFileSync(join(at, 'iac.yaml'), 'kind: [')
    expect(await run('completion', 'addresses')).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

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
