// `iac init [FOLDER]`: a project file, a first manifest, what git leaves out, and the editor's schemas; overwrites nothing.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { failure } from '../../diagnostic.ts'
import { stringifyJson } from '../../json.ts'
import { kinds } from '../../kinds/registry.ts'
import { defineCommand } from '../command.ts'
import { idleFlags } from '../flags.ts'
import { manifestFileSchema, projectFileSchema } from '../documents/json-schema.ts'
import { safeLine } from '../render/sanitise.ts'

export const initCommand = defineCommand({
  summary: 'write a project file and a first manifest',
  about: 'Writes iac.yaml, a first manifest, .gitignore lines and the settings with which editors check manifests. Overwrites nothing.',
  arguments: [{ name: 'FOLDER', about: 'where (default: the current folder)', optional: true }],
  flags: {},
  idle: idleFlags.withoutProject,
  examples: [
    { text: 'init', about: 'a project in this folder' },
    { text: 'init shop && cd shop && iac plan --sandbox', about: 'a new one, planned against the embedded service' },
  ],
  async run({ surroundings, globals, print }, given) {
    const named = given.arguments[0] ?? globals.text('dir') ?? '.'
    const folder = resolve(surroundings.workingFolder, named)
    const next = folder === surroundings.workingFolder ? 'Next: iac plan --sandbox' : `Next: cd ${safeLine(named)} && iac plan --sandbox`
    const done: string[] = []
    for (const [path, text] of Object.entries(filesFor(basename(folder)))) if (await writeNew(join(folder, path), text)) done.push(path)
    if (await addLines(join(folder, '.gitignore'), ['.iac/'])) done.push('.gitignore')
    if (globals.switch('json')) print.json({ folder, written: done })
    else print.result(done.length === 0 ? 'Everything was there already; nothing was written.\n' : `Wrote ${done.map(safeLine).join(', ')}.\n${next}\n`)
    return 0
  },
})

function filesFor(folderName: string): Readonly<Record<string, string>> {
  const name = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/.test(folderName) ? folderName : 'project'
  return {
    'iac.yaml': projectText(name),
    'infra/network.yaml': manifestText,
    'schemas/manifest.schema.json': `${stringifyJson(manifestFileSchema(kinds), 2)}\n`,
    'schemas/project.schema.json': `${stringifyJson(projectFileSchema(), 2)}\n`,
    '.vscode/settings.json': `${stringifyJson({ 'yaml.schemas': { './schemas/project.schema.json': 'iac.yaml', './schemas/manifest.schema.json': 'infra/**/*.yaml' } }, 2)}\n`,
  }
}

function projectText(name: string): string {
  return `# yaml-language-server: $schema=./schemas/project.schema.json
apiVersion: iac/v1
kind: Project
name: ${name}
manifests: ["infra/**/*.yaml"]
outputs:
  network_id: { value: "\${Vpc['main'].id}" }
`
}

const manifestText = `# yaml-language-server: $schema=../schemas/manifest.schema.json
apiVersion: iac/v1
kind: Vpc
metadata:
  name: main
spec:
  description: the first network
  range: 10.20.0.0/24
`

/** False where something stands there already. */
async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && error.syscall === 'open' && 'code' in error && error.code === 'EEXIST') return false
    throw unwritable(path, error)
  }
}

/** Adds the lines that are missing; false when none is. */
async function addLines(path: string, lines: readonly string[]): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const missing = lines.filter((line) => !text.split(/\r?\n/).includes(line))
  if (missing.length === 0) return false
  try {
    await appendFile(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`)
  } catch (error) {
    throw unwritable(path, error)
  }
  return true
}

function unwritable(path: string, error: unknown) {
  return failure('file_unwritable', `${path} cannot be written`, { detail: error instanceof Error ? error.message : '' })
}
