// `iac fmt [FILE...]`: manifests in one canonical form; values and comments stay what they are.
import { lstatSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure, failure } from '../../base/diagnostic.ts'
import { replaceOwnFile } from '../../base/files/own-files.ts'
import { few } from '../../base/words/few.ts'
import { kinds } from '../../kinds/registry.ts'
import { readProjectFileInTurns } from '../../project/configuration/project-file.ts'
import { canonicalText } from '../../project/yaml/canonical.ts'
import type { LeftAlone } from '../../project/yaml/canonical.ts'
import { hidesAll } from '../../project/yaml/secret-lines.ts'
import { readSourcesInTurns } from '../../project/yaml/sources.ts'
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { textOfFile, textOfInput } from '../context/given-text.ts'
import { pathFromHere } from '../context/project-folder.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { projectFiles } from '../surroundings/project-files.ts'
import { readingInTurns } from '../surroundings/taking-turns.ts'

const idle = [...new Set([...idleFlags.withoutCalls, 'env', 'var', 'var-file', 'sandbox'])]

/** A byte order mark is none of the canonical form, so that it has to be seen. */
const asItStands = { keepBom: true }

/** A document that is left as it is, and where. */
type Left = LeftAlone & { readonly file: string }

export const fmtCommand = defineCommand({
  summary: 'rewrite manifests in one canonical form',
  about:
    'Rewrites the manifests of the project, or those that are named: two spaces, apiVersion, kind, metadata and spec first, quotes only where they are needed. Values and comments stay what they are, which is checked before a file is replaced. Documents of other tools and broken ones are left alone.',
  arguments: [
    {
      name: 'FILE',
      about: 'files and folders instead of the list of the project; - is standard input, written to standard output',
      optional: true,
      many: true,
    },
  ],
  flags: { check: { type: 'switch', about: 'change nothing, list what would be rewritten, and end with 2 if there is anything' } },
  idle,
  examples: [
    { text: 'fmt', about: 'the manifests of this project' },
    { text: 'fmt --check', about: 'in a pipeline' },
    { text: 'fmt - < web.yaml', about: 'in an editor' },
  ],
  async run(context, given) {
    const { print, globals } = context
    const isCheck = given.switch('check')
    const words = [...given.arguments, ...globals.list('file')]
    if (words.includes('-')) return await formatInput(context, words, isCheck)
    const [changed, left]: [string[], Left[]] = [[], []]
    for (const { path, shown } of await filesOf(context, words)) {
      const text = textOfFile(path, context, asItStands)
      const formed = canonicalText(text, kindNames)
      left.push(...formed.left.map((one) => ({ file: shown, ...one })))
      if (formed.text === text) continue
      changed.push(shown)
      if (!isCheck) rewrite(path, formed.text)
    }
    if (globals.switch('json')) {
      const document: MachineDocument<'fmt'> = { changed, left: left.map(({ file, line, why }) => ({ file, line, why })) }
      print.json(document)
    } else {
      if (changed.length > 0) print.result(changed.map((one) => `${safeLine(one)}\n`).join(''))
      tellLeft(context, left)
    }
    return isCheck && changed.length > 0 ? 2 : 0
  },
})

const kindNames: ReadonlySet<string> = new Set(kinds.filter((one) => one.managed).map((one) => one.name))

async function formatInput(context: Context, words: readonly string[], isCheck: boolean): Promise<0 | 2> {
  if (words.length > 1) throw failure('usage', '- stands alone: it is standard input', { hint: 'name files without it' })
  const text = await textOfInput(context.surroundings, asItStands)
  const formed = canonicalText(text, kindNames)
  if (!isCheck) context.print.data(formed.text)
  tellLeft(
    context,
    formed.left.map((one) => ({ file: '-', ...one })),
  )
  return isCheck && formed.text !== text ? 2 : 0
}

/** The files that hold documents, each once: those of the project's list, or what the command line names. */
async function filesOf(
  { folder, print, surroundings }: Context,
  words: readonly string[],
): Promise<readonly { readonly path: string; readonly shown: string }[]> {
  const { workingFolder } = surroundings
  const named = words.length === 0 ? undefined : { paths: words.map((shown) => ({ path: resolve(workingFolder, shown), shown })), stdin: undefined }
  const place = { folder, shown: pathFromHere(folder, surroundings) }
  const { file, problems } = await readingInTurns(({ whole }) => readProjectFileInTurns(projectFiles(surroundings), place, whole), surroundings)
  if (!named && problems.some((one) => one.severity === 'error')) throw new Failure(3, problems)
  const reading = { hides: hidesAll, parses: undefined, kinds: kindNames }
  const sources = await readingInTurns(
    (budget) => readSourcesInTurns(projectFiles(surroundings), folder, file?.fields.manifests, named, { ...reading, budget }),
    surroundings,
  )
  const found = Object.keys(sources.hashes)
  const unread = sources.problems.filter((one) => one.code === 'file_unreadable')
  if (unread.length > 0) throw new Failure(3, unread)
  // A folder may be there for manifests to come.
  if (found.length === 0) for (const { code, summary } of sources.problems) if (code === 'usage') print.note(safeLine(summary))
  return found.map((shown) => ({ path: named ? resolve(workingFolder, shown) : join(folder, shown), shown }))
}

/** Replaces what stands there, not a link that leads to it, with the mode that it has. */
function rewrite(path: string, text: string): void {
  try {
    const real = realpathSync(path)
    replaceOwnFile(real, text, { mode: lstatSync(real).mode & 0o777 })
  } catch (error) {
    throw failure('file_unwritable', `${path} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  }
}

const words: Readonly<Record<LeftAlone['why'], string>> = {
  broken: 'left as it is, since it is no sound manifest (`iac validate` says why)',
  doubtful: 'left as it is, since it could not be rewritten without a loss',
  foreign: 'left as they are, of other tools',
}

function tellLeft({ print }: Context, left: readonly Left[]): void {
  for (const { file, line, why } of left) if (why !== 'foreign') print.aside(safeLine(`${file}:${line}: ${words[why]}`))
  const foreign = left.filter((one) => one.why === 'foreign').map(({ file, line }) => `${file}:${line}`)
  if (foreign.length > 0) print.note(safeLine(`${words.foreign}: ${few(foreign)}`))
}
