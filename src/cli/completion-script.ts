// Completion scripts for bash, zsh and fish, made from data.

export const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** What completes after a command: its flags without dashes, words such as kinds, and what flags with choices take. */
export interface Completed {
  readonly name: string
  readonly summary: string
  readonly flags: readonly string[]
  readonly words: readonly string[]
  readonly choices: Readonly<Record<string, readonly string[]>>
}

/** The script for a shell. */
export function completionScript(shell: Shell, commands: readonly Completed[]): string {
  if (shell === 'bash') return bashScript(commands)
  return shell === 'zsh' ? zshScript(commands) : fishScript(commands)
}

function firstWords(commands: readonly Completed[]): readonly string[] {
  return [...new Set(commands.map((one) => one.name.split(' ')[0] ?? ''))]
}

function secondWords(commands: readonly Completed[], first: string): readonly string[] {
  return commands.filter((one) => one.name.startsWith(`${first} `)).map((one) => one.name.slice(first.length + 1))
}

/** Two words before one, so that `state list` is found before `state`. */
function cases(commands: readonly Completed[]): string[] {
  const parents = firstWords(commands).flatMap((first) => {
    const second = secondWords(commands, first)
    return second.length === 0 || commands.some((one) => one.name === first) ? [] : [`    '${first} '*|'${first}') words='${second.join(' ')}' ;;`]
  })
  const own = commands
    .toSorted((a, b) => b.name.split(' ').length - a.name.split(' ').length)
    .map((one) => {
      const below = secondWords(commands, one.name)
      return `    '${one.name}'|'${one.name} '*) words='${[...below, ...one.words, ...one.flags.map((flag) => `--${flag}`)].join(' ')}' ;;`
    })
  const choices = commands.flatMap((one) => Object.entries(one.choices).map(([flag, words]) => `    '${one.name} '*'--${flag}') words='${words.join(' ')}' ;;`))
  return [...choices, ...own, ...parents]
}

function bashScript(commands: readonly Completed[]): string {
  return `# bash completion for iac
_iac() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=''
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$line" in
    '') words='${firstWords(commands).join(' ')} help' ;;
${cases(commands).join('\n')}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    --dir|--file|-f|--var-file|--out|--input|--data|--seed) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _iac iac
`
}

function zshScript(commands: readonly Completed[]): string {
  return `#compdef iac
_iac() {
  local words_given=("\${words[@]:1:$((CURRENT-2))}")
  local line="\${words_given[*]}" words=''
  case "$line" in
    '') words='${firstWords(commands).join(' ')} help' ;;
${cases(commands).join('\n')}
  esac
  compadd -- \${=words}
  _files
}
compdef _iac iac
`
}

function fishScript(commands: readonly Completed[]): string {
  const lines = commands.flatMap((one) => {
    const [first = '', second] = one.name.split(' ')
    const seen =
      second === undefined ? `__fish_seen_subcommand_from ${first}` : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
    const word =
      second === undefined
        ? `complete -c iac -n __fish_use_subcommand -a ${first} -d '${quoted(one.summary)}'`
        : `complete -c iac -n '__fish_seen_subcommand_from ${first}' -a ${second} -d '${quoted(one.summary)}'`
    const flags = one.flags.map((flag) => `complete -c iac -n '${seen}' -l ${flag}${one.choices[flag] ? ` -x -a '${one.choices[flag].join(' ')}'` : ''}`)
    const words = one.words.length === 0 ? [] : [`complete -c iac -n '${seen}' -a '${one.words.join(' ')}'`]
    return [word, ...flags, ...words]
  })
  const parents = firstWords(commands).filter((first) => !commands.some((one) => one.name === first))
  return `# fish completion for iac\n${parents.map((first) => `complete -c iac -n __fish_use_subcommand -a ${first}`).join('\n')}\n${lines.join('\n')}\n`
}

function quoted(text: string): string {
  return text.replaceAll("'", "\\'")
}
