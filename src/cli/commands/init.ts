// `iac init [FOLDER]`: a project file, a first manifest, what git leaves out, and the editor's schemas; overwrites nothing.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { Failure, failure } from '../../base/diagnostic.ts'
import { wayProblem } from '../../base/files/own-files.ts'
import { stringifyJson } from '../../base/json.ts'
import { pathWord } from '../../base/words/shell-word.ts'
import { kinds } from '../../kinds/registry.ts'
import { readProjectFileInTurns } from '../../project/configuration/project-file.ts'
import { backendNames, stateBackends } from '../../project/configuration/state-backends.ts'
import { isProjectName, nameLine } from '../../project/configuration/state-places.ts'
import { placedState } from '../../project/configuration/state-settings.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import { hidesAll } from '../../project/yaml/secret-lines.ts'
import { readSourcesInTurns } from '../../project/yaml/sources.ts'
import { idleFlags } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import { pathFromHere } from '../context/project-folder.ts'
import { manifestFileSchema, projectFileSchema } from '../documents/json-schema.ts'
import type { Backend } from '../documents/pipelines/pipeline.ts'
import { pipelineNamed, pipelines } from '../documents/pipelines/pipelines.ts'
import { encrypted, sharedStateNamed, sharedStates } from '../documents/shared-states.ts'
import type { SharedState } from '../documents/shared-states.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { projectFiles } from '../surroundings/project-files.ts'
import { branchOf, repositoryOf } from '../surroundings/repository.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { readingInTurns } from '../surroundings/taking-turns.ts'
import { assertRoom, writeNew } from '../surroundings/write-new.ts'

/** What git leaves out: this project's own files, and what `write_code_to` and `--write-code-to` leave by the names that examples give it. */
const ignoredLines = ['.iac/', '*.token']
const settingsPath = '.vscode/settings.json'
const manifestSchemaPath = 'schemas/manifest.schema.json'

export const initCommand = defineCommand({
  summary: 'write a project file and a first manifest',
  about:
    'Writes iac.yaml, a first manifest where there is none, .gitignore lines (.iac/ and *.token) and the settings with which editors check manifests. Overwrites nothing, and in a folder that holds manifests leaves out none of them.',
  arguments: [{ name: 'FOLDER', about: 'where (default: the current folder)', optional: true }],
  flags: {
    state: {
      type: 'choice',
      value: 'BACKEND',
      choices: ['local', ...Object.keys(sharedStates)],
      about: `where the state lies: ${Object.keys(sharedStates).join(', ')}; without it in a file of the project`,
    },
    name: { type: 'text', value: 'NAME', about: "the project's name (default: the folder's; for one whose state is shared, with a part that is drawn)" },
    encrypt: { type: 'switch', about: 'also have the state encrypted, by a key in IAC_STATE_KEY' },
    ci: {
      type: 'choice',
      value: 'FORGE',
      choices: Object.keys(pipelines),
      about: 'also write the pipeline: plan, apply after a merge, drift every night; its state has to be shared, since a runner keeps no files',
    },
  },
  idle: idleFlags.withoutProject,
  examples: [
    { text: 'init', about: 'a project in this folder' },
    { text: 'init shop && cd shop && iac plan --sandbox', about: 'a new one, planned against the embedded service' },
    { text: 'init --state s3 --ci github', about: 'the pipeline, too' },
    { text: 'init --state postgres --name shop', about: 'one whose state a team shares; prints the rights that it needs' },
    { text: 'init --state s3 --encrypt', about: 'a state that only who has the key can read' },
  ],
  async run({ surroundings, globals, print }, given) {
    const named = placeOf(given.arguments[0], globals.text('dir'))
    const folder = resolve(surroundings.workingFolder, named)
    const place = folder === surroundings.workingFolder ? '' : `cd ${pathWord(safeLine(named))} && `
    const plain = sharedStateNamed(given.text('state') ?? 'local')
    const shared = given.switch('encrypt') ? encrypted(plain) : plain
    const afterwards = shared?.first === undefined ? '' : `    # before that: ${shared.first}`
    const found = await manifestsIn(folder, surroundings)
    const pipeline = pipelineNamed(given.text('ci'))
    const backend = backendNames.find((one) => one === given.text('state')) ?? 'local'
    const standing = pipeline && (await standingBackend(folder, surroundings))
    const setting = { version: surroundings.version, backend: standing ?? backend }
    const isLost = pipeline?.losesFiles === true && setting.backend === 'local'
    if (isLost && given.text('state') !== 'local') throw lostState(standing !== undefined)
    const ofPipeline = pipeline?.files(setting) ?? {}
    const name = givenName(given.text('name')) ?? nameAfter(basename(folder))
    const isDrawn = given.text('name') === undefined && backend !== 'local'
    const called = isDrawn ? withDrawn(name, surroundings) : name
    const files = { ...filesFor(called, found, shared), ...ofPipeline }
    for (const path of [...Object.keys(files), '.gitignore']) {
      assertRoom(join(folder, path), surroundings.workingFolder)
      assertNoLink(folder, path)
    }
    const written: string[] = []
    const skipped: string[] = []
    for (const [path, text] of Object.entries(files)) ((await writeNew(join(folder, path), text)) ? written : skipped).push(path)
    if (await addLines(join(folder, '.gitignore'), ignoredLines)) written.push('.gitignore')
    if (globals.switch('json')) {
      const document: MachineDocument<'init'> = { folder, written, skipped }
      print.json(document)
      return 0
    }
    print.result(
      written.length === 0
        ? 'Everything was there already; nothing was written.\n'
        : `Wrote ${written.map(safeLine).join(', ')}.\nNext: ${place}iac plan --sandbox${afterwards}\n`,
    )
    if (shared)
      print.note(
        written.includes('iac.yaml')
          ? shared.needs.trimEnd()
          : `iac.yaml was left as it is; it wants this line:\n${indented(`${lackedName({ folder, name, backend })}${shared.lines}`)}\n${shared.needs.trimEnd()}`,
      )
    if (given.text('name') !== undefined && !written.includes('iac.yaml'))
      print.note(`iac.yaml was left as it is: its name is what stands there, and --name ${name} was not written into it.`)
    if (isDrawn && written.includes('iac.yaml'))
      print.note(`The project is called ${called}: ${nameUse(backend)}. Another name is written into iac.yaml before the first apply, or given by --name.`)
    const ofForge = Object.keys(ofPipeline).filter((path) => written.includes(path))
    const others = Object.keys(ofPipeline).filter((path) => skipped.includes(path) && textOf(join(folder, path)) !== ofPipeline[path])
    if (others.length > 0) print.note(`${others.join(' and ')} was left as it is: it stands there already, and is not the pipeline that was asked for.`)
    if (pipeline && ofForge.length > 0) {
      print.note(pipeline.needs(setting).trimEnd())
      for (const note of placeNotes(folder, ofForge, ofPipeline)) print.note(note)
    }
    if (isLost)
      print.note(
        'The state is a file of the project: unless the runner keeps it (IAC_STATE_DIR), it is gone after each run, and the next one makes everything again.',
      )
    if (found && written.includes('iac.yaml')) print.note('Manifests stand here already: no first one was written, and all of them belong to the project.')
    if (skipped.includes(settingsPath) && !textOf(join(folder, settingsPath)).includes(manifestSchemaPath))
      print.note(`${settingsPath} was left as it is; with these lines in it editors check manifests:\n${indented(files[settingsPath] ?? '')}`)
    return 0
  },
})

/** The folder as it was named; throws a Failure `usage` where two are. */
function placeOf(folder: string | undefined, dir: string | undefined): string {
  if (folder !== undefined && dir !== undefined) throw usageFailure('--dir and FOLDER both name the folder: give one of them')
  return folder ?? dir ?? '.'
}

/** What keeps a forge from running what was written where it stands. */
function placeNotes(folder: string, paths: readonly string[], texts: Readonly<Record<string, string>>): readonly string[] {
  const root = repositoryOf(folder)
  if (root === undefined) return []
  const read = paths.filter((path) => path.endsWith('iac.yaml') || path.startsWith('.gitlab') || path === 'atlantis.yaml')
  const below = relative(root, folder)
  const branch = branchOf(root)
  const isMain = branch === undefined || branch === 'main' || !read.some((path) => texts[path]?.includes('branches: [main]'))
  return [
    ...(below === '' || read.length === 0
      ? []
      : [
          `${read.join(' and ')} is read at the root of the repository alone: move it to ${safeLine(root)}, and ${read.includes('atlantis.yaml') ? `write dir: ${safeLine(below)}` : `have its steps run in ${safeLine(below)}`}.`,
        ]),
    ...(isMain ? [] : [`The pipeline applies what is on the branch main, and this repository is on ${safeLine(branch)}: write its default branch there.`]),
  ]
}

/** What a pipeline would make again with each run, since its runner keeps no file, is refused before anything is written. */
function lostState(isStanding: boolean) {
  const names = Object.keys(sharedStates).join(', ')
  const way = isStanding
    ? `a run without -e has its state there by iac.yaml, which is left as it is: write state: { backend: ... } of ${names} into it, or as default_environment an environment that has one`
    : `add --state ${names}`
  return failure('usage', 'a pipeline needs a shared state: a file of the project is gone when its runner is, and the next run would make everything again', {
    hint: `${way}; or --state local, where the runner keeps the folder of the state`,
  })
}

/** Where the state of a run without flags lies by the project file that stands there; undefined without one. Throws a Failure 3 where mistakes of the file hide it. */
async function standingBackend(folder: string, surroundings: Surroundings): Promise<Backend | undefined> {
  const place = { folder, shown: pathFromHere(folder, surroundings) }
  const { file, problems } = await readingInTurns(({ whole }) => readProjectFileInTurns(projectFiles(surroundings), place, whole), surroundings)
  const placed = file && placedState(file, { name: '', environment: file.fields.default_environment ?? null, sandbox: false })
  if (placed === undefined && problems.length > 0) throw new Failure(3, problems)
  return placed?.settings.backend
}

/** Where the manifests of a folder stand, as patterns; undefined where there is none. */
async function manifestsIn(folder: string, surroundings: Surroundings): Promise<readonly string[] | undefined> {
  if (nodeFiles.kindOf(folder) !== 'folder') return undefined
  const reading = { hides: hidesAll, parses: undefined, kinds: new Set<string>() }
  const { documents, problems } = await readingInTurns(
    (budget) => readSourcesInTurns(projectFiles(surroundings), folder, undefined, undefined, { ...reading, budget }),
    surroundings,
  )
  const files = [...documents.map((one) => one.source.file), ...problems.flatMap((one) => one.position?.file ?? [])]
  if (files.length === 0) return undefined
  const patterns = files.map((file) => (dirname(file) === '.' ? literal(file) : `${literal(dirname(file))}/*${extname(file)}`))
  return [...new Set(patterns)]
}

/** A name in a pattern: what would mean something there stands for any character. */
function literal(name: string): string {
  return name.replaceAll(/[[\]{}*?]/g, '?')
}

/** The line that a project file lacks by whose name its shared state would be called. */
function lackedName({ folder, name, backend }: { readonly folder: string; readonly name: string; readonly backend: keyof typeof stateBackends }): string {
  return !stateBackends[backend].fromName || /^name:/m.test(textOf(join(folder, 'iac.yaml'))) ? '' : `${nameLine(name)}\n`
}

/** A name from the command line; throws a Failure `usage` for one that no project can have. */
function givenName(name: string | undefined): string | undefined {
  if (name !== undefined && !isProjectName(name))
    throw usageFailure(`--name ${name} is no name of a project: letters, digits, _ . and -, the first a letter or digit, at most 63`)
  return name
}

/** What the name of a project is good for where its state is shared. */
function nameUse(backend: Backend): string {
  return stateBackends[backend].fromName
    ? 'its state is called after it, and a name that another project has there would be the same state'
    : 'a state that another project has there is told by its name'
}

/** A name that no other project has: folders of several are called alike, and one name leads to one state. */
function withDrawn(name: string, { randomBytes }: Surroundings): string {
  return `${name.slice(0, 56)}-${Buffer.from(randomBytes(3)).toString('hex')}`
}

/** What a project is called after its folder, as far as that is a name of projects. */
function nameAfter(folder: string): string {
  const name = folder
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[_.-]+/, '')
    .slice(0, 63)
  return name === '' ? 'project' : name
}

function filesFor(name: string, manifests: readonly string[] | undefined, shared: SharedState | undefined): Readonly<Record<string, string>> {
  const checked = manifests ?? 'infra/**/*.yaml'
  return {
    'iac.yaml': `${projectText(name)}${shared?.lines ?? ''}${manifests ? '' : firstLines}`,
    ...(manifests ? {} : { 'infra/network.yaml': manifestText }),
    [manifestSchemaPath]: `${stringifyJson(manifestFileSchema(kinds), 2)}\n`,
    'schemas/project.schema.json': `${stringifyJson(projectFileSchema(), 2)}\n`,
    [settingsPath]: `${stringifyJson({ 'yaml.schemas': { './schemas/project.schema.json': 'iac.yaml', [`./${manifestSchemaPath}`]: checked } }, 2)}\n`,
  }
}

function projectText(name: string): string {
  return `# yaml-language-server: $schema=./schemas/project.schema.json
apiVersion: iac/v1
kind: Project
${nameLine(name)}
`
}

const firstLines = `manifests: ["infra/**/*.yaml"]
outputs:
  network_id: { value: "\${Vpc['main'].id}" }
`

const manifestText = `# yaml-language-server: $schema=../schemas/manifest.schema.json
apiVersion: iac/v1
kind: Vpc
metadata:
  name: main
spec:
  description: the first network
  range: 10.20.0.0/24
`

/** Throws a Failure 3 where a link in the folder would lead what is written elsewhere. */
function assertNoLink(folder: string, path: string): void {
  const problem = wayProblem(folder, join(folder, path))
  if (problem !== undefined) throw failure('usage', `${path} cannot be written: ${problem}`, { hint: 'remove it, or name another folder; nothing was written' })
}

/** The text of a file that stands there already; none of what is no text. */
function textOf(path: string): string {
  const { bytes } = nodeFiles.read(path, { limitBytes: 1 << 20 })
  return bytes === undefined ? '' : new TextDecoder().decode(bytes)
}

/** Adds the lines that are missing; false when none is. */
async function addLines(path: string, lines: readonly string[]): Promise<boolean> {
  const text = textOf(path)
  const missing = lines.filter((line) => !text.split(/\r?\n/).includes(line))
  if (missing.length === 0) return false
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0))
    try {
      await file.writeFile(`${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw failure('file_unwritable', `${path} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  }
  return true
}

function indented(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ')
}
