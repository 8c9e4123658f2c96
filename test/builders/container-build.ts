// Builds what a Containerfile says in plain folders, one for each stage: copies, commands with their paths moved into the stage, settings.
import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A stage as it stands at its end: where its root is, and how its program is started. */
export interface BuiltImage {
  readonly root: string
  readonly base: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  readonly workingFolder: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

interface Instruction {
  readonly word: string
  readonly rest: string
}

/** The instructions of a text, comments left out and lines that go on joined. */
export function instructionsOf(text: string): readonly Instruction[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1).trim() }))
}

/** Carries them out below a folder; gives the last stage. Throws for an instruction that it does not know, and where one fails. */
export function buildImage(file: string, context: string, folder: string): BuiltImage {
  const known: Record<string, string> = {}
  const stages = new Map<string, string>()
  let image: BuiltImage | undefined
  for (const { word, rest } of instructionsOf(readFileSync(file, 'utf8'))) {
    const text = filled(rest, known)
    if (word === 'ARG') {
      const [name = '', value] = text.split('=')
      if (value !== undefined) known[name] = value
    } else if (word === 'FROM') {
      const [base = '', , name = 'last'] = text.split(' ')
      const root = join(folder, name)
      mkdirSync(root, { recursive: true })
      stages.set(name, root)
      image = { root, base, environment: {}, user: '', workingFolder: '/', entrypoint: [], command: [] }
    } else if (image) image = carriedOut(image, { word, rest: text }, { context, stages })
  }
  if (!image) throw new Error(`${file} begins no stage`)
  return image
}

function carriedOut(
  image: BuiltImage,
  { word, rest }: Instruction,
  from: { readonly context: string; readonly stages: ReadonlyMap<string, string> },
): BuiltImage {
  switch (word) {
    case 'COPY':
      copy(image.root, rest, from)
      return image
    case 'RUN':
      // What stands in a stage stands below its folder here; programs are those of this machine.
      execFileSync('sh', ['-euc', rest.replaceAll(/(?<=^|\s)\/(?=\w)/g, `${image.root}/`)], { stdio: 'pipe' })
      return image
    case 'ENV': {
      const [name = '', value = ''] = rest.split('=')
      return { ...image, environment: { ...image.environment, [name]: value } }
    }
    case 'WORKDIR':
      mkdirSync(join(image.root, rest), { recursive: true })
      return { ...image, workingFolder: rest }
    case 'LABEL':
      return image
    case 'USER':
      return { ...image, user: rest }
    case 'ENTRYPOINT':
      return { ...image, entrypoint: words(rest) }
    case 'CMD':
      return { ...image, command: words(rest) }
    default:
      throw new Error(`${word} is not known here`)
  }
}

/** Patterns are looked for in the context; a folder is copied by what is in it. */
function copy(root: string, rest: string, { context, stages }: { readonly context: string; readonly stages: ReadonlyMap<string, string> }): void {
  const all = rest.split(/\s+/)
  const flags = all.filter((one) => one.startsWith('--'))
  const stage = flags.find((one) => one.startsWith('--from='))?.slice('--from='.length)
  const source = stage === undefined ? context : stages.get(stage)
  if (source === undefined) throw new Error(`there is no stage ${stage ?? ''}`)
  const paths = all.filter((one) => !one.startsWith('--'))
  const to = join(root, paths.pop() ?? '')
  mkdirSync(to, { recursive: true })
  for (const path of paths) {
    const found = path.includes('*') ? matching(source, path) : [join(source, path)]
    if (found.length === 0) throw new Error(`nothing is ${path}`)
    for (const one of found) cpSync(one, statSync(one).isDirectory() ? to : join(to, basename(one)), { recursive: true })
  }
  const [, owner] = /--chown=(\d+)/.exec(rest) ?? []
  if (owner !== undefined && process.geteuid?.() === 0)
    for (const one of readdirSync(to, { recursive: true, encoding: 'utf8' })) chownSync(join(to, one), Number(owner), Number(owner))
}

function matching(folder: string, pattern: string): readonly string[] {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('[^/]*')}$`)
  return readdirSync(folder)
    .filter((name) => expression.test(name))
    .map((name) => join(folder, name))
}

/** `${NAME}` and `${NAME:-else}`; what is not known stays for the shell. */
function filled(text: string, known: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (whole, name: string, otherwise: string | undefined) => known[name] ?? otherwise ?? whole)
}

function words(text: string): readonly string[] {
  const all: unknown = JSON.parse(text)
  if (!Array.isArray(all)) throw new Error(`${text} is no list of words`)
  return all.map(String)
}
