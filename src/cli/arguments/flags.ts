// Flags as data: from them come parsing, help, completion and the reference.

interface FlagOf<Type extends string> {
  readonly type: Type
  readonly about: string
  readonly short?: string
}

/** One flag; its name is its key in the command's table. */
export type Flag =
  | FlagOf<'switch'>
  | (FlagOf<'text'> & { readonly value: string; readonly optional?: true })
  | (FlagOf<'list'> & { readonly value: string; readonly completes?: readonly string[] })
  | (FlagOf<'integer'> & { readonly value: string; readonly least: number; readonly most: number })
  | (FlagOf<'duration'> & { readonly value: string })
  | (FlagOf<'choice'> & { readonly value: string; readonly choices: readonly string[] })

export type Flags = Readonly<Record<string, Flag>>

/** What was given on the command line, read by name; a name that no flag has throws, so that no typo stays. */
export interface Given {
  switch(name: string): boolean
  /** A text, or one of the choices. */
  text(name: string): string | undefined
  list(name: string): readonly string[]
  /** An integer within its bounds, or a duration in milliseconds. */
  number(name: string): number | undefined
  readonly arguments: readonly string[]
}

/** Flags of every command. */
export const globalFlags = Object.freeze({
  dir: { type: 'text', value: 'PATH', about: 'the project folder' },
  file: { type: 'list', value: 'PATH', short: 'f', about: "a file or folder of manifests instead of the project's list; - is standard input" },
  env: { type: 'text', value: 'NAME', short: 'e', about: 'the environment (default: default_environment of iac.yaml)' },
  var: { type: 'list', value: 'NAME=VALUE', about: 'a variable' },
  'var-file': { type: 'list', value: 'PATH', about: 'a YAML file of variables' },
  sandbox: { type: 'switch', about: 'use the embedded service, its data in .iac/sandbox/' },
  parallelism: { type: 'integer', value: 'N', least: 1, most: 1000, about: 'most operations and requests at a time' },
  'lock-timeout': { type: 'duration', value: 'D', about: 'how long to wait for the lock (default 0s; a lease where its holder is silent)' },
  json: { type: 'switch', about: 'machine-readable output' },
  'no-color': { type: 'switch', about: 'no colours' },
  'no-input': { type: 'switch', about: 'never ask' },
  quiet: { type: 'switch', about: 'results and errors only' },
  verbose: { type: 'switch', about: 'more about what is done' },
}) satisfies Flags

const reaching = ['parallelism', 'lock-timeout', 'no-input'] as const
const declaring = ['file', 'var', 'var-file'] as const

/** Global flags that mean nothing to a command, by what it does without. */
export const idleFlags = Object.freeze({
  withoutProject: [...declaring, 'env', 'sandbox', ...reaching],
  withoutCalls: reaching,
  /** Changes the state alone, and has no result to print. */
  withoutManifests: [...declaring, 'parallelism', 'json'],
  /** Reads the state, and asks and locks nothing. */
  withoutWriting: [...declaring, ...reaching],
})
