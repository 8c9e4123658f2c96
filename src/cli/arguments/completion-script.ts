// Completion scripts for bash, zsh and fish, made from data.

export const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** What a flag takes: nothing, a path, a text that nobody can guess, an address of the project, or one of some words. */
export interface CompletedFlag {
  readonly name: string
  readonly short?: string | undefined
  readonly takes: 'nothing' | 'path' | 'text' | 'address' | readonly string[]
}

/** What completes after a command: its flags, and words such as kinds. The name '' stands for the program before any command. */
export interface Completed {
  readonly name: string
  readonly summary: string
  readonly flags: readonly CompletedFlag[]
  readonly words: readonly string[]
  /** Whether an address of the project comes after it, too; where it names kinds, one of theirs. */
  readonly addresses?: boolean | readonly string[]
  /** Whether the first word is a kind, and a name of one of its objects comes after it. */
  readonly names?: boolean
}

/** What to do where a shell is to offer a path, nothing, or addresses. */
interface Offering {
  readonly path: string
  readonly text: string
  readonly address: string
}

/** Flags that say where the project is, and which of its states: whoever asks for its addresses passes them on. `-ex…` begins other flags, written with one dash. */
const places = { valued: ['-e', '--env', '--dir'], joined: ['--env=*', '--dir=*', '-e*'], others: '-ex*', alone: '--sandbox' }

/** The script for a shell. */
export function completionScript(shell: Shell, commands: readonly Completed[]): string {
  const all = withHelp(commands)
  if (shell === 'bash') return bashScript(all)
  return shell === 'zsh' ? zshScript(all) : fishScript(all)
}

/** `help` takes commands as its words. */
function withHelp(commands: readonly Completed[]): readonly Completed[] {
  const firsts = firstWords(commands)
  const parents = firsts.filter((first) => secondWords(commands, first).length > 0)
  return [...commands, helpFor('help', firsts), ...parents.map((first) => helpFor(`help ${first}`, secondWords(commands, first)))]
}

function helpFor(name: string, words: readonly string[]): Completed {
  return { name, summary: 'what a command does', flags: [], words }
}

function firstWords(commands: readonly Completed[]): readonly string[] {
  return [...new Set(commands.map((one) => one.name.split(' ')[0] ?? ''))].filter((one) => one !== '')
}

function secondWords(commands: readonly Completed[], first: string): readonly string[] {
  return commands.filter((one) => one.name.startsWith(`${first} `)).map((one) => one.name.slice(first.length + 1))
}

/** What is offered behind each word that is no command by itself, such as `state`. */
function parentsOf(commands: readonly Completed[]): readonly Completed[] {
  const names = new Set(commands.map((one) => one.name))
  return firstWords(commands).flatMap((name) => (names.has(name) ? [] : [{ name, summary: '', flags: [], words: secondWords(commands, name) }]))
}

/** How a flag stands on the command line. */
function spellings({ name, short }: CompletedFlag): readonly string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
}

/** Every flag that has a value somewhere: the word behind it is no command. */
function withValue(commands: readonly Completed[]): string {
  return [...new Set(commands.flatMap((one) => one.flags.filter((flag) => flag.takes !== 'nothing').flatMap(spellings)))].join('|')
}

/** Cases on `LINE|BEFORE`, the commands' own flags before those of all: what stands behind a flag with a value. */
function valueCases(commands: readonly Completed[], on: Offering): string[] {
  const everywhere = new Set(commands.find((one) => one.name === '')?.flags.map((flag) => flag.name))
  return commands
    .toSorted((a, b) => b.name.length - a.name.length)
    .flatMap(({ name, flags }) => {
      const line = name === '' ? '' : `'${name} '`
      return flags.flatMap((flag) => {
        if (flag.takes === 'nothing' || (name !== '' && everywhere.has(flag.name))) return []
        const pattern = spellings(flag)
          .map((one) => `${line}*'|${one}'`)
          .join('|')
        return [`    ${pattern}) ${typeof flag.takes === 'string' ? on[flag.takes] : `offered='${flag.takes.join(' ')}'`} ;;`]
      })
    })
}

/** Cases on the words of the line without flags, two before one, so that `state list` is found before `state`. */
function wordCases(commands: readonly Completed[]): string[] {
  return [...commands, ...parentsOf(commands)]
    .toSorted((a, b) => b.name.split(' ').length - a.name.split(' ').length)
    .flatMap(({ name, words, flags, addresses, names }) => {
      const first = name === '' ? [...firstWords(commands)] : secondWords(commands, name).filter((word) => !words.includes(word))
      const dashed = flags.map((flag) => `--${flag.name}`)
      const behind = `      '${name} '?*) offered='${dashed.join(' ')}'; at="\${line#${name} }"; case "$at" in *' '?*) ;; *) asked=(names --quiet "\${at% }"); named=1 ;; esac ;;`
      const own = `      ${name === '' ? "''" : `'${name} '*`}) offered='${[...first, ...words, ...dashed].join(' ')}'${addresses ? `; named=1${kindsAsked(addresses)}` : ''} ;;`
      return names ? [behind, own] : [own]
    })
}

function kindsAsked(addresses: true | readonly string[]): string {
  return addresses === true ? '' : `; asked=(addresses ${addresses.join(' ')})`
}

/** What bash and zsh share: the words of the line, and what they call for. */
function walk(commands: readonly Completed[], first: number, count: string, given: string, on: Offering): string {
  return `  for ((at = ${first}; at < ${count}; at++)); do
    case "\${${given}[at]}" in
      ${places.valued.join('|')})
        if [[ "\${${given}[at+1]}" == '=' ]]; then place+=("\${${given}[at]}" "\${${given}[at+2]}"); else place+=("\${${given}[at]}" "\${${given}[at+1]}"); fi ;;
      ${places.others}) ;;
      ${[places.alone, ...places.joined].join('|')}) place+=("\${${given}[at]}") ;;
    esac
    case "\${${given}[at]}" in
      ${withValue(commands)}) [[ "\${${given}[at+1]}" != '=' ]] || at=$((at + 1)); at=$((at + 1)) ;;
      -*) ;;
      *) line="$line\${${given}[at]} " ;;
    esac
  done
  case "$line|$before" in
${valueCases(commands, on).join('\n')}
    *) case "$line" in
${wordCases(commands).join('\n')}
    esac ;;
  esac`
}

/** Asks the program for addresses or names: the one of the PATH, since the word before the cursor is not to be run, and with nothing to read. */
function asking(what: string): string {
  return `command iac completion ${what} 2>/dev/null </dev/null`
}

function bashScript(commands: readonly Completed[]): string {
  // Paths are left to bash itself: it quotes what a name holds that a shell would run.
  const nothing = 'compopt +o default 2>/dev/null; return'
  return `# bash completion for iac
_iac() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" line='' offered='' named='' at
  local -a place=() asked=(addresses)
  COMPREPLY=()
  if [[ "$current" == '=' ]]; then current=''; elif [[ "$before" == '=' ]]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
${walk(commands, 1, 'COMP_CWORD', 'COMP_WORDS', { path: 'return', text: nothing, address: 'named=1; compopt +o default 2>/dev/null' })}
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
  # Names of a project are data: none of them is expanded, and a shell gets them quoted.
  if [[ -n "$named" && "$current" != -* ]]; then
    while IFS= read -r at; do [[ "$at" != "$current"* ]] || COMPREPLY+=("$(printf '%q' "$at")"); done < <(${asking('"${asked[@]}" "${place[@]}"')})
  fi
  # Kinds are taken in any case.
  if [[ \${#COMPREPLY[@]} -eq 0 && "$current" =~ ^[A-Za-z0-9]+$ ]]; then COMPREPLY=($(printf '%s\\n' $offered | grep -i "^$current")); fi
}
complete -o default -F _iac iac
`
}

function zshScript(commands: readonly Completed[]): string {
  return `#compdef iac
_iac() {
  local before="\${words[CURRENT-1]}" line='' offered='' named='' at
  local -a place names asked
  asked=(addresses)
${walk(commands, 2, 'CURRENT', 'words', { path: '_files; return', text: 'return', address: 'named=1' })}
  # Kinds are taken in any case.
  [[ -z "$named" ]] || names=(\${(f)"$(${asking('"${asked[@]}" "${place[@]}"')})"})
  compadd -M 'm:{a-zA-Z}={A-Za-z}' -- \${=offered} $names || [[ -n "$named" ]] || _files
}
compdef _iac iac
`
}

/** What is offered, and where. */
function fishLines(commands: readonly Completed[]): readonly string[] {
  const parents = parentsOf(commands)
  return [...commands, ...parents].flatMap(({ name, summary, flags, words, addresses, names }) => {
    const below = secondWords(commands, name)
    const here = name === '' ? '__iac_first' : `__iac_at ${name}${below.map((one) => `; and not __iac_at ${name} ${one}`).join('')}`
    const [first = '', second] = name.split(' ')
    const own = second === undefined ? '__iac_first' : `__iac_at ${first}; and not __iac_beyond ${first}`
    const about = summary === '' ? '' : ` -d '${quoted(summary)}'`
    const word = name === '' ? [] : [`complete -c iac -n '${own}' -a ${second ?? first}${about}`]
    return [
      ...word,
      ...flags.map((flag) => `complete -c iac -n '${here}' ${flagLine(flag)}`),
      ...(words.length === 0 || parents.some((one) => one.name === name)
        ? []
        : [`complete -c iac -n '${here}${names ? `; and not __iac_beyond ${name}` : ''}' -a '${words.join(' ')}'`]),
      ...(names ? [`complete -c iac -n '${here}; and __iac_beyond ${name}; and not __iac_beyond ${name} KIND' -a '(__iac_names)'`] : []),
      ...(addresses ? [`complete -c iac -n '${here}' -a '(${['__iac_addresses', ...(addresses === true ? [] : addresses)].join(' ')})'`] : []),
    ]
  })
}

function fishScript(commands: readonly Completed[]): string {
  const valued = withValue(commands).replaceAll('|', ' ')
  return `# fish completion for iac
function __iac_words
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${valued}
        set skip 1
      case '-*'
      case '*'
        echo $word
    end
  end
end
function __iac_first
  test (count (__iac_words)) -eq 0
end
function __iac_at
  set -l given (__iac_words)
  set -l begun $given[1..(count $argv)]
  test "$begun" = "$argv"
end
function __iac_place
  set -l given (commandline -opc)[2..-1]
  while set -q given[1]
    set -l word $given[1]
    set -e given[1]
    switch $word
      case ${places.valued.join(' ')}
        set -q given[1]; and printf '%s\\n' $word $given[1]
        set -e given[1]
      case ${valued}
        set -e given[1]
      case '${places.others}'
      case ${[places.alone, ...places.joined.map((one) => `'${one}'`)].join(' ')}
        printf '%s\\n' $word
    end
  end
end
function __iac_addresses
  ${asking('addresses $argv (__iac_place)')}
end
function __iac_names
  set -l given (__iac_words)
  set -l place (__iac_place)
  contains -- ${places.alone} $place; or ${asking('names --quiet $given[2] $place')}
end
function __iac_beyond
  test (count (__iac_words)) -gt (count $argv)
end
${fishLines(commands).join('\n')}
`
}

function flagLine({ name, short, takes }: CompletedFlag): string {
  const spelling = `${short === undefined ? '' : `-s ${short} `}-l ${name}`
  if (takes === 'nothing') return spelling
  if (takes === 'path') return `${spelling} -r -F`
  if (takes === 'address') return `${spelling} -x -a '(__iac_addresses)'`
  return takes === 'text' ? `${spelling} -x` : `${spelling} -x -a '${takes.join(' ')}'`
}

function quoted(text: string): string {
  return text.replaceAll("'", "\\'")
}
