// The library's types as a closed set: what its entry leads to, declarations of packages among it, so that nothing else need be installed.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/**
 * Copies the declarations that `from`/entry leads to into another folder, those of packages below `packages/` there.
 * Gives the paths of what was copied of packages. Throws for what cannot be found.
 */
export async function closeTypes(from, entry, to) {
  const [source, target] = [resolve(from), resolve(to)]
  const placeOf = (path) => {
    const [, name] = /^.*\/node_modules\/(.*)$/.exec(path) ?? []
    return name === undefined || path.startsWith(`${source}/`) ? join(target, relative(source, path)) : join(target, 'packages', name)
  }
  const found = new Set([join(source, entry)])
  for (const path of found) {
    const text = await readFile(path, 'utf8')
    let written = ''
    let last = 0
    for (const { value, start, end } of specifiersIn(path, text)) {
      if (value.startsWith('node:') || builtinModules.includes(value)) continue
      const module = value.startsWith('.') ? besideOf(path, value) : await packagedOf(value)
      found.add(module)
      if (value.startsWith('.')) continue
      written += `${text.slice(last, start)}'${specifierOf(placeOf(path), placeOf(module))}'`
      last = end
    }
    await put(placeOf(path), written + text.slice(last))
  }
  const packaged = [...found].filter((path) => !path.startsWith(`${source}/`))
  for (const root of new Set(packaged.map((path) => rootOf(path)))) {
    const { name, type = 'commonjs' } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    // Whether a file there is a module of the one sort or the other hangs on it.
    await put(join(target, 'packages', name, 'package.json'), `${JSON.stringify({ type })}\n`)
  }
  return packaged
}

/** What a file of declarations names, in order: imports and exports of every form, with their places in the text. */
function specifiersIn(path, text) {
  const { program, errors } = parseSync(path, text, { lang: 'dts' })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  const specifiers = []
  const add = (node) => node?.type === 'Literal' && specifiers.push(node)
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    TSExternalModuleReference: ({ expression }) => add(expression),
    TSImportType: ({ source }) => add(source),
  }).visit(program)
  return specifiers.toSorted((a, b) => a.start - b.start)
}

function besideOf(path, specifier) {
  const base = join(dirname(path), specifier)
  const names = [base.replace(/\.([cm]?)[jt]s$/, '.d.$1ts'), `${base}.d.ts`, join(base, 'index.d.ts')]
  const module = names.find((name) => /\.d\.[cm]?ts$/.test(name) && existsSync(name))
  if (module === undefined) throw new Error(`${path}: ${specifier} has no declarations`)
  return module
}

/** The declarations of a package, or of a part of it, as its package.json names them. */
async function packagedOf(specifier) {
  const [, name, part] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier)
  const root = resolve('node_modules', name)
  const { exports = {}, types = 'index.d.ts' } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const offered = exports[`.${part}`]?.types ?? (part === '' ? types : undefined)
  const module = offered && join(root, offered)
  if (!module || !existsSync(module)) throw new Error(`${specifier} has no declarations`)
  return module
}

function rootOf(path) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)[0]
}

/** How one file of declarations is named in another. */
function specifierOf(from, to) {
  const path = relative(dirname(from), to).replace(/\.d\.([cm]?)ts$/, '.$1js')
  return path.startsWith('.') ? path : `./${path}`
}

async function put(path, text) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
