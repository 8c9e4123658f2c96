// How everything of this package is bundled: one set of options for the command line, the benchmarks, the simulation and what is generated.
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/** Less to read at each start; names stay, for the stacks of defects. */
export const small = Object.freeze({ compress: true, mangle: false, codegen: true })

/** What starts often, or is loaded on demand by most that does: each is to find all that it needs in few files, and nothing besides. */
const starts = {
  bootstrap: ['src/cli/bootstrap.ts'],
  sandbox: ['src/cli/commands/sandbox/sandbox.ts'],
  plan: ['src/cli/commands/planning/plan-project.ts'],
  unchanged: ['src/cli/commands/plan.ts', 'src/cli/storage/open-store.ts', 'src/cli/context/connection.ts', 'src/api/transport/socket-transport.ts'],
  files: ['src/cli/commands/validate.ts'],
  validate: ['src/cli/commands/planning/validate-project.ts'],
  apply: ['src/cli/commands/apply.ts'],
  places: ['src/cli/storage/open-store.ts', 'src/cli/context/connection.ts'],
}

const UNUSED = '\0unused'

/**
 * What packages ask for and never use here: an addon that the database's client takes where somebody installed it, and node's processes (with all of its network)
 * for commands that are programs of their own, which the reader of the command line would start.
 */
function isUnused(id, from = '') {
  return id === 'pg-native' || (id === 'node:child_process' && from.includes('/commander/'))
}

/**
 * Packages of which another of their own builds is taken. That of yaml for node asks the environment at each word whether to print it, secrets and all;
 * its build for browsers is the same without, and of modules.
 */
const OTHER_BUILDS = { yaml: fileURLToPath(new URL('../node_modules/yaml/browser/dist/index.js', import.meta.url)) }

function insteadOf(id, from, standIns) {
  return isUnused(id, from) ? UNUSED : (standIns[id] ?? null)
}

/**
 * Bundles entry points (path by name) into a folder of modules, with chunks for what they share or load on demand; gives the paths of all that is in them.
 * What chunks take from an entry point it exports, too, unless its `signatures` are `strict`. `standIns` are files that stand in for packages.
 */
export async function bundle(input, dir, { extension = 'js', external = [], signatures = 'allow-extension', output = {}, standIns = OTHER_BUILDS } = {}) {
  const { output: chunks } = await build({
    input,
    preserveEntrySignatures: signatures,
    platform: 'node',
    external,
    plugins: [{ name: 'instead', resolveId: (id, from) => insteadOf(id, from, standIns), load: (id) => (id === UNUSED ? 'export default null' : null) }],
    moduleTypes: { '.wasm': 'binary' },
    transform: { target: 'node20.19' },
    output: {
      dir,
      format: 'esm',
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `chunks/[name]-[hash].${extension}`,
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: startsOf(), debugName: 'starts' }] },
      ...output,
    },
  })
  return chunks.flatMap(({ moduleIds = [] }) => moduleIds)
}

/**
 * Builds the program: `main.EXTENSION` launches what lies below chunks/, CommonJS in functions, since node 20 can keep compiled code
 * of scripts alone; gives the paths of all that is in it.
 */
export async function bundleProgram(dir, { extension = 'js', output = {} } = {}) {
  const chunks = join(dir, 'chunks')
  const format = { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' }
  const inside = await bundle({ main: 'src/main.ts' }, chunks, { output: { ...output, ...format } })
  for (const name of await readdir(chunks)) {
    // A script that V8 compiled before has nobody who would import for it.
    const text = (await readFile(join(chunks, name), 'utf8')).replaceAll(/\bimport\((["'`]node:[a-z_/]+["'`])\)/g, 'Promise.resolve(require($1))')
    if (name.startsWith('bootstrap') && /\brequire\(["'`](?:node:)?child_process/.test(text)) throw new Error(`${name} loads node's processes at each start`)
    await writeFile(join(chunks, name), inAscii(`(function (exports, require, module, __filename, __dirname) {${text}\n})`))
  }
  const outside = await bundle({ main: 'src/launch.ts' }, dir, { extension, output: { ...output, codeSplitting: false } })
  return [...inside, ...outside]
}

/** With escapes for all that is not ASCII: one such sign would have a program keep twice as many bytes of its own text, while it runs. */
function inAscii(text) {
  if (/\\[^\0-\x7f]|String\.raw`[^`]*[^`\0-\x7f]/.test(text)) throw new Error('a sign that is not ASCII stands where an escape means something else')
  return text.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Names each module by which of the starts need it: a file takes half a millisecond to find and link, however small it is,
 * and without this everything that two of some fifty commands share is a file of its own. Who needs a module needs its
 * imports too, so these files never import each other in a circle.
 */
function startsOf() {
  let needs
  return (id, graph) => {
    needs ??= Object.entries(starts).map(([name, files]) => [name, closure(files, graph)])
    const names = needs.filter(([, ids]) => ids.has(id)).map(([name]) => name)
    // Whatever else starts, this has been read before.
    if (names.includes('bootstrap')) return 'bootstrap'
    return names.length === 0 ? null : names.join('-')
  }
}

/** Modules and all that they import, at whatever remove; what they load on demand is not among it. */
function closure(files, graph) {
  const ids = new Set(files.map((file) => resolve(file)))
  for (const id of ids) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) ids.add(imported)
  return ids
}
