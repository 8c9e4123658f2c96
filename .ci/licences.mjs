// The licence texts of all that is bundled, made from the modules that really are: who passes a package on passes its licence on.
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

/** What packages carry of others without the text of its licence. */
const embedded = [{ name: 'llhttp', licence: 'MIT', within: 'undici', folder: 'undici/lib/llhttp/', text: resolve(import.meta.dirname, 'licences/llhttp.txt') }]

const NOTE = `Third-party licences

What is bundled here holds code of the packages below, each under the licence that stands under its name.
`

/**
 * The texts for these modules, of which only those below `node_modules/` count, each text once, by the names of packages.
 * Throws for a package without a text: it must not be passed on so.
 */
export async function licencesOf(paths) {
  const parts = []
  for (const { root, name, version, licence, modules } of await packagesOf(paths)) {
    const sorted = [...new Set((await Promise.all(modules.map((path) => textsAbove(path, root)))).flat())].toSorted()
    const bodies = await Promise.all(sorted.map(textOf))
    if (!sorted.some((text) => isLicence(text.slice(root.length + 1)))) {
      const told = await licenceInReadme(root)
      if (told === undefined) throw new Error(`${name} ${version} is bundled and has no licence text in ${root}`)
      bodies.push(told)
    }
    parts.push({ title: `${name} ${version} (${licence})`, bodies })
  }
  for (const { name, licence, text } of embeddedIn(paths)) parts.push({ title: `${name} (${licence})`, bodies: [await textOf(text)] })
  const sections = parts.toSorted((a, b) => (a.title < b.title ? -1 : 1)).map(({ title, bodies }) => `${'='.repeat(80)}\n${title}\n\n${bodies.join('\n\n')}\n`)
  return [NOTE, ...sections].join('\n')
}

/** The packages that these modules are of, sorted by name and version: each with its folder, licence, what it says it needs, and its modules here. */
export async function packagesOf(paths) {
  const modules = new Map()
  for (const path of paths) {
    const root = rootOf(path)
    if (root !== undefined) modules.set(root, [...(modules.get(root) ?? []), path])
  }
  const packages = await Promise.all(
    Array.from(modules, async ([root, own]) => {
      const { name, version, license: licence, dependencies = {} } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
      return { root, name, version, licence, needs: Object.keys(dependencies), modules: own }
    }),
  )
  return packages.toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

/** What these modules carry of others. */
export function embeddedIn(paths) {
  return embedded.filter(({ folder }) => paths.some((path) => path.includes(`node_modules/${folder}`)))
}

/** The folder of the package that a module is of; undefined for one of ours. */
function rootOf(path) {
  // What the bundler adds of its own.
  if (path.startsWith('\0rolldown/')) return resolve('node_modules/rolldown')
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll('\\', '/'))?.[0]
}

/** Licences and notices that stand beside a module, or above it in its package. */
async function textsAbove(path, root) {
  const texts = []
  for (let folder = path.startsWith('\0') ? root : dirname(path); !relative(root, folder).startsWith('..'); folder = dirname(folder)) {
    const names = await readdir(folder).catch(() => [])
    texts.push(...names.filter((name) => isLicence(name) || /^notice(?:\.\w+)?$/i.test(name)).map((name) => join(folder, name)))
  }
  return texts
}

/** Whether a file is a licence by its path in the package: at its root, so that a part's own does not pass for the whole. */
function isLicence(path) {
  return /^(?:licen[cs]e|copying)(?:[-.][\w.-]+)?$/i.test(path) && !/\.[cm]?[jt]s$/.test(path)
}

/** Some packages have their licence, word for word, as a section of what is to be read first. */
async function licenceInReadme(root) {
  const text = await readFile(join(root, 'README.md'), 'utf8').catch(() => '')
  const [, section] = /^#+ licen[cs]e\n(.*?)(?=^#|$(?![^]))/ims.exec(text.replaceAll('\r\n', '\n')) ?? []
  return section?.includes('Permission is hereby granted') ? section.trim() : undefined
}

async function textOf(path) {
  const text = (await readFile(path, 'utf8'))
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\t ]+$/gm, '')
    .trim()
  if (text === '') throw new Error(`${path} is empty`)
  return text
}
