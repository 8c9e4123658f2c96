// Begins a kind: npm run new:kind -- SshKey, with the routes that its name does not tell: npm run new:kind -- K3sCluster getK3s createK3s deleteK3s
import { readFile, readdir, writeFile } from 'node:fs/promises'

const [name = '', ...given] = process.argv.slice(2)
const folder = 'src/api/routes'
if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) stop('usage: npm run new:kind -- KIND [ROUTE…]')
const routes = await readRoutes()
const { list, get, create, remove } = chosenRoutes()
if (!create || !(list || (get && !uses(get, 'id')))) {
  const near = [...routes.keys()].filter((one) => one.toLowerCase().includes(name.toLowerCase().slice(0, 6)))
  stop(
    `${name} needs a route that makes it and one that lists it, or reads the only one; name those that are called otherwise${near.length > 0 ? `: ${near.join(', ')}` : ''}`,
  )
}
const parent = parentOf(create) ?? parentOf(list ?? get)
const file = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
const path = `src/kinds/${file}.ts`
await writeFile(path, kindText(), { flag: 'wx' }).catch((error) => stop(error.code === 'EEXIST' ? `${path} is there already` : String(error)))
await register()
console.log(`${path} and its line in src/kinds/registry.ts are there; npm run fix, then fill it in (src/kinds/vpc.ts is a finished example)`)

function stop(words) {
  console.error(words)
  process.exit(3)
}

/** Every route by name: its method, path and section. */
async function readRoutes() {
  const files = (await readdir(folder)).filter((one) => one.endsWith('.ts') && !one.endsWith('.test.ts'))
  const sources = await Promise.all(files.map((one) => readFile(`${folder}/${one}`, 'utf8')))
  return new Map(
    sources.flatMap((source) => {
      const section = /const section = '([^']+)'/.exec(source)?.[1] ?? ''
      const found = source.matchAll(/\b(\w+): route\(\s*section,\s*\[?'(\w+)'(?:, '\w+'\])?,\s*'([^']+)'/g)
      return [...found].map(([, route, method, at]) => [route, { name: route, method, path: at, section }])
    }),
  )
}

/** The routes that are named, by what they do, and for the rest those that the name tells. */
function chosenRoutes() {
  const named = given.map((one) => routes.get(one) ?? stop(`there is no route called ${one} in ${folder}`))
  const ofWorkspace = (verb, what) => [routes.get(`${verb}Workspace${what}`)].find((one) => one?.path.includes('{wid}')) ?? routes.get(verb + what)
  return {
    list: named.find(isList) ?? ofWorkspace('list', plural(name)),
    get: named.find((one) => one.method === 'GET' && !isList(one)) ?? routes.get(`get${name}`),
    create: named.find((one) => one.method !== 'GET' && one.method !== 'DELETE') ?? ofWorkspace('create', name),
    remove: named.find((one) => one.method === 'DELETE') ?? routes.get(`delete${name}`),
  }
}

function isList(route) {
  return route.method === 'GET' && route.name.startsWith('list')
}

function plural(word) {
  return /(?:[sx]|ch)$/.test(word) ? `${word}es` : word.replace(/(?<![aeiou])y$/, 'ie').concat('s')
}

function isWorkspace(param) {
  return param === 'wid' || param === 'workspace'
}

/** The parameters of a route, each with the segment before it; the object's own id ends the path of what reads or deletes it. */
function paramsOf(route) {
  const ownId = route === get || route === remove ? /\{(\w+)\}$/.exec(route.path)?.[1] : undefined
  return [...route.path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, segment, param]) => ({
    param,
    segment,
    is: isWorkspace(param) ? 'workspace' : param === ownId ? 'id' : 'parent',
  }))
}

function uses(route, is) {
  return route !== undefined && paramsOf(route).some((one) => one.is === is)
}

/** What the object hangs on: the segment before a parameter that is neither the workspace nor its own id. */
function parentOf(route) {
  const segment = paramsOf(route).findLast((one) => one.is === 'parent')?.segment
  if (segment === undefined) return undefined
  const field = segment.replace(/-/g, '_').replace(/(?<!s)s$/, '')
  return { field, kind: field.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase()) }
}

function callOf(route, values, body) {
  const params = paramsOf(route).map(({ param, is }) => (values[is] === param ? param : `${param}: ${values[is]}`))
  return `call(routes.${route.name}, ${params.length > 0 ? `{ ${params.join(', ')} }` : '{}'}${body ? `, ${body}` : ''})`
}

/** The names that a function takes apart, `{}` without any. */
function taken(names) {
  const left = names.filter(Boolean)
  return left.length > 0 ? `{ ${left.join(', ')} }` : ''
}

function listText() {
  const at = uses(list ?? get, 'workspace') || parent
  if (parent) return 'list: listAll,'
  const values = { workspace: 'at.workspaceId' }
  if (list) return `list: (api${at ? ', at' : ''}) => api.all(${callOf(list, values)}, live),`
  return `async list(api${at ? ', at' : ''}) {
    const one = await api.one(${callOf(get, values)}, live)
    return one ? [one] : []
  },`
}

function readText() {
  const values = { workspace: 'at.workspaceId', id: 'id', parent: parent?.field }
  if (!get) {
    const all = parent ? 'listAll(api, at)' : `api.all(${callOf(list, values)}, live)`
    return `read: async (api, id${parent || uses(list, 'workspace') ? ', at' : ''}) => (await ${all}).find((one) => one.id === id),`
  }
  const asked = `api.one(${callOf(get, values)}, live)`
  const at = uses(get, 'workspace') || uses(get, 'parent') ? ', at' : ''
  if (uses(get, 'id') && !uses(get, 'parent')) return `read: (api, id${at}) => ${asked},`
  const found = parent && uses(get, 'parent') ? `one && { ...one, ${parent.field} }` : 'one'
  return `async read(api, id${at}) {${uses(get, 'parent') ? `\n    const [${parent.field} = ''] = at.parents` : ''}
    const one = await ${asked}
    return ${uses(get, 'id') ? found : `one?.id === id ? ${found.replace('one && ', '')} : undefined`}
  },`
}

/** The list below each parent, whose answers need not name it. */
function listBelow() {
  if (!parent) return ''
  const values = { workspace: 'at.workspaceId', parent: parent.field }
  const found = list ? `(await api.all(${callOf(list, values)}, live))` : `[await api.one(${callOf(get, values)}, live)].filter((one) => one !== undefined)`
  return `
/** The lists below each ${parent.field}, whose answers need not name it. */
async function listAll(api: Reader, at: At) {
  const lists = at.parents.map(async (${parent.field}) => ${found}.map((one) => ({ ...one, ${parent.field} })))
  return (await Promise.all(lists)).flat()
}
`
}

function stepsText() {
  const values = { workspace: 'workspaceId', parent: `desired.${parent?.field}` }
  const body = parent ? "pick(desired, ['name'])" : 'desired'
  return `steps(${taken([uses(create, 'workspace') && 'workspaceId', 'desired', 'live: there'])}) {
    return there ? [] : [{ name: 'create', creates: true, call: ${callOf(create, values, body)}, sets: desired }]
  },`
}

function removalText() {
  if (!remove) return 'removal: () => [],'
  const values = { workspace: 'workspaceId', id: 'id', parent: `recorded.${parent?.field} ?? ''` }
  const names = [uses(remove, 'id') && 'id', uses(remove, 'workspace') && 'workspaceId', uses(remove, 'parent') && 'recorded']
  return `removal: (${taken(names)}) => [{ name: 'delete', removes: true, call: ${callOf(remove, values)}, sets: {} }],`
}

function kindText() {
  const { section } = create
  const scope = parent ? 'parent' : uses(create, 'workspace') || uses(list ?? get, 'workspace') ? 'workspace' : 'account'
  const has = (words) => (parent ? words : '')
  return `// ${name}: say in one sentence what it is and how it is made.
import * as z from 'zod'
import { call } from '../src/api/call.ts'
import { routes } from '../src/api/routes/routes.ts'
import { immutable, mark${has(', ref')} } from './definition/fields.ts'
import { defineKind, pick } from '../src/kinds/definition/kind.ts'
${has("import type { At, Reader } from './definition/kind.ts'\nimport { maybe } from './definition/live-fields.ts'\n")}import { defineShape, idOf } from './definition/shape.ts'

const spec = z.strictObject({${has(`\n  ${parent?.field}: immutable(ref('${parent?.kind}')).describe('what it hangs on'),`)}
  name: immutable(mark(z.string().min(1), { shown: true })).describe('its name'),
})

const live = defineShape('${name}', z.object({ id: idOf, ${has(`${parent?.field}: maybe(idOf), `)}name: z.string().optional() }))

export const ${name} = defineKind({
  name: '${name}',
  plural: '${plural(name).toLowerCase()}',
  about: 'One sentence for explain and the reference.',
  section: '${section}',
  scope: '${scope}',
${has(`  parentField: '${parent?.field}',\n`)}${get ? '' : '  singleRead: false,\n'}  spec,
  live,
  calls: { making: [routes.${create.name}], removing: [${remove ? `routes.${remove.name}` : ''}] },
  outputs: { id: { type: 'string', about: 'its id' } },
  examples: [{ title: 'The smallest one', spec: { ${has(`${parent?.field}: 'main', `)}name: 'main' }, changes: { ${has(`${parent?.field}: 'other', `)}name: 'other' } }],
  ${listText()}
  ${readText()}
  id: (one) => one.id,
  toSpec: (one) => pick(one, [${has(`'${parent?.field}', `)}'name']),
  outputsOf: (one) => ({ id: one.id }),
  status: () => 'ready',
  naturalKey: (one) => \`${has(`\${one.${parent?.field}} `)}\${one.name}\`,
  ${stepsText()}
  ${removalText()}
})
${listBelow()}`
}

async function register() {
  const registry = 'src/kinds/registry.ts'
  const text = await readFile(registry, 'utf8')
  const withImport = text.replace('import type { AnyKind }', `import { ${name} } from './${file}.ts'\nimport type { AnyKind }`)
  await writeFile(registry, withImport.replace('\n])', `\n  ${name},\n])`))
}
