// Begins a kind: npm run new:kind -- SshKey, with the routes that its name does not tell: npm run new:kind -- K3sCluster getK3s createK3s deleteK3s
// One that is only looked up is one of which nothing but routes that read are named: npm run new:kind -- Plan listPlans getPlan
import { readFile, writeFile } from 'node:fs/promises'
import { answeredBy, fieldsOf, readRoutes } from './new-kind-fields.mjs'

const [name = '', ...given] = process.argv.slice(2)
const folder = 'src/api/routes'
if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) stop('usage: npm run new:kind -- KIND [ROUTE…]')
const routes = await readRoutes()
const lookedUpBy = { name: 'name', text: 'z.string()', isRequired: true, changes: true, shown: 'maybe(z.string())' }
const isMade = routes.has(`create${name}`) || routes.has(`createWorkspace${name}`)
const isLookedUp = !isMade && given.length > 0 && given.every((one) => routes.get(one)?.method === 'GET')
const { list, get, create, remove, update } = chosenRoutes()
if (!(create || isLookedUp) || !(list || (get && !uses(get, 'id')))) {
  const near = nearRoutes()
  const looked = [...(create || isLookedUp ? [] : [`create${name}`]), ...(list || get ? [] : [`list${plural(name)}`])]
  stop(
    `${name} needs ${isLookedUp ? '' : 'a route that makes it and '}one that lists it, or reads the only one: ${looked.length > 0 ? `none is called ${looked.join(' or ')}` : `${get.name} reads one of many`}; name those that are called otherwise${near.length > 0 ? ` (${near.join(', ')})` : ''}, or add them first: schemas/reference/architecture.md, "an endpoint"${create || isLookedUp ? '' : '; of one that is only looked up, name the routes that read it'}`,
  )
}
const parent = (create && parentOf(create)) ?? parentOf(list ?? get)
if (!parent && uses(get, 'parent'))
  stop(`${get.name} reads ${name} below another object, and ${list.name} lists it without one: name a list below that object, or leave ${get.name} out`)
const answered = isLookedUp ? answeredBy(get ?? list) : []
const fields = isLookedUp ? [lookedUpBy] : fieldsOf({ create, update, read: get ?? list }).filter((one) => one.name !== parent?.field)
const file = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
const path = `src/kinds/${file}.ts`
await writeFile(path, kindText(), { flag: 'wx' }).catch((error) => stop(error.code === 'EEXIST' ? `${path} is there already` : String(error)))
await register()
console.log(
  `${path} and its line in src/kinds/registry.ts are there${isLookedUp ? ', of a kind that is only looked up' : ''}; npm run fix, then fill it in (src/kinds/${isLookedUp ? 'plan' : 'vpc'}.ts is a finished example)`,
)

function stop(words) {
  console.error(words)
  process.exit(3)
}

/** Routes that share a word with the kind's name. */
function nearRoutes() {
  const words = name.match(/[A-Z][a-z0-9]+/g) ?? []
  return [...routes.keys()].filter((one) => words.some((word) => one.toLowerCase().includes(word.toLowerCase().replace(/s$/, ''))))
}

/** The routes that are named, by what they do, and for the rest those that the name tells. */
function chosenRoutes() {
  const named = given.map((one) => routes.get(one) ?? stop(`there is no route called ${one} in ${folder}`))
  const told = chosenBy(name, named)
  // `ApiToken` is what the API calls a token: its routes have the last words of the name.
  const rest = name.replace(/^[A-Z][a-z0-9]*/, '')
  if (named.length > 0 || rest === '' || told.create || told.list || told.get) return told
  const shorter = chosenBy(rest, named)
  return shorter.create && shorter.list ? shorter : told
}

function chosenBy(word, named) {
  if (isLookedUp) return { list: named.find(isList), get: named.find((one) => !isList(one)) }
  const ofWorkspace = (verb, what) => [routes.get(`${verb}Workspace${what}`)].find((one) => one?.path.includes('{wid}')) ?? routes.get(verb + what)
  const create = named.find((one) => one.method !== 'GET' && one.method !== 'DELETE') ?? ofWorkspace('create', word)
  const update = named.find((one) => one !== create && (one.method === 'PATCH' || one.method === 'PUT')) ?? routes.get(`update${word}`)
  return {
    list: named.find(isList) ?? ofWorkspace('list', plural(word)),
    get: named.find((one) => one.method === 'GET' && !isList(one)) ?? routes.get(`get${word}`),
    create,
    remove: named.find((one) => one.method === 'DELETE') ?? routes.get(`delete${word}`),
    update: update === create ? undefined : update,
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
  const ownId = route === get || route === remove || route === update ? /\{(\w+)\}$/.exec(route.path)?.[1] : undefined
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
  const values = { workspace: 'workspaceId', parent: `desired.${parent?.field}`, id: 'id' }
  const body = fields.length === 0 ? '' : parent ? `pick(desired, [${quoted(fields)}])` : 'desired'
  const made = `{ name: 'create', creates: true, call: ${callOf(create, values, body)}, sets: desired }`
  const changing = fields.filter((one) => one.changes)
  const wid = (uses(create, 'workspace') || (changing.length > 0 && uses(update, 'workspace'))) && 'workspaceId'
  const id = changing.length > 0 && uses(update, 'id') && 'id'
  const names = taken([id, wid, 'desired', 'live: there', changing.length > 0 && 'changed'])
  if (changing.length === 0) return `steps(${names}) {\n    return there ? [] : [${made}]\n  },`
  return `steps(${names}) {
    if (!there) return [${made}]
    if (!changed(${quoted(changing)})) return []
    const sets = pick(desired, [${quoted(changing)}])
    return [{ name: 'update', call: ${callOf(update, values, 'sets')}, sets }]
  },`
}

function quoted(some) {
  return some.map((one) => `'${one.name}'`).join(', ')
}

function removalText() {
  if (!remove) return 'removal: () => [],'
  const values = { workspace: 'workspaceId', id: 'id', parent: `recorded.${parent?.field} ?? ''` }
  const names = [uses(remove, 'id') && 'id', uses(remove, 'workspace') && 'workspaceId', uses(remove, 'parent') && 'recorded']
  return `removal: (${taken(names)}) => [{ name: 'delete', removes: true, call: ${callOf(remove, values)}, sets: {} }],`
}

/** A field of the spec: what no call changes is immutable. */
function fieldText({ name: field, text, isRequired, changes }) {
  return `  ${field}: ${changes ? text : `immutable(${text})`}${isRequired ? '' : '.optional()'}.describe('say what it is'),`
}

/** The import of those names that the text uses. */
function importOf(names, from, text) {
  const used = names.filter((one) => new RegExp(`(?<![\\w.])${one}\\(`).test(text))
  return used.length > 0 ? `import { ${used.join(', ')} } from '${from}'\n` : ''
}

function valuesText(at) {
  return fields.flatMap(({ name: field, values }) => (values[at] === undefined ? [] : `${field}: ${literal(values[at])}`))
}

function exampleSpec(word, at) {
  return `{ ${[...(parent ? [`${parent.field}: '${word}'`] : []), ...valuesText(at)].join(', ')} }`
}

function exampleText() {
  return `{ title: 'The smallest one', spec: ${exampleSpec('main', 0)}, changes: ${exampleSpec('other', 1)} }`
}

function literal(value) {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function toSpecText(carried) {
  if (isLookedUp && !answered.some((one) => one.name === 'name')) return `(one) => ({ ${parent ? `${parent.field}: one.${parent.field}, ` : ''}name: one.id })`
  const names = [...(parent ? [`'${parent.field}'`] : []), ...carried.map((one) => `'${one.name}'`)]
  return names.length > 0 ? `(one) => pick(one, [${names.join(', ')}])` : '() => ({})'
}

function kindText() {
  const { section } = create ?? list ?? get
  const scope = parent ? 'parent' : uses(create, 'workspace') || uses(list ?? get, 'workspace') ? 'workspace' : 'account'
  const has = (words) => (parent ? words : '')
  const carried = fields.filter((one) => one.shown !== undefined)
  const shown = isLookedUp ? answered.filter((one) => one.name !== 'id' && one.name !== parent?.field) : carried
  const ownId = answered.find((one) => one.name === 'id')?.isText ? 'z.string()' : 'idOf'
  const key = carried.find((one) => one.name === 'name') ?? carried[0]
  const naturalKey =
    key || parent ? `(one) => \`${[has(`\${one.${parent?.field}}`), key && `\${one.${key.name}}`].filter(Boolean).join(' ')}\`` : "() => 'the only one'"
  const spec = [...(parent ? [`  ${parent.field}: immutable(ref('${parent.kind}')).describe('what it hangs on'),`] : []), ...fields.map(fieldText)].join('\n')
  const live = [...(parent ? [`${parent.field}: maybe(idOf)`] : []), ...shown.map((one) => `${one.name}: ${one.shown}`)].map((one) => `, ${one}`).join('')
  const making = [create, fields.some((one) => one.changes) && update]
    .filter(Boolean)
    .map((one) => `routes.${one.name}`)
    .join(', ')
  const body = `
const spec = z.strictObject({\n${spec}\n})

const live = defineShape('${name}', () => z.object({ id: ${ownId}${live} }))

export const ${name} = defineKind({
  name: '${name}',
  plural: '${plural(name).toLowerCase()}',
  about: 'One sentence for explain and the reference.',
  section: '${section}',
  scope: '${scope}',
${has(`  parentField: '${parent?.field}',\n`)}${get ? '' : '  singleRead: false,\n'}  spec,
  live,
  ${isLookedUp ? 'managed: false,' : `calls: { making: [${making}], removing: [${remove ? `routes.${remove.name}` : ''}] },`}
  outputs: { id: { type: 'string', about: 'its id' }${isLookedUp ? shown.map((one) => `, ${one.name}: { type: '${one.type}', about: 'say what it is' }`).join('') : ''} },
  examples: [${isLookedUp ? '' : exampleText()}],
  ${listText()}
  ${readText()}
  id: (one) => one.id,
  toSpec: ${toSpecText(carried)},
  outputsOf: (one) => ${isLookedUp ? `present({ ${['id', ...shown.map((one) => one.name)].map((one) => `${one}: one.${one}`).join(', ')} })` : '({ id: one.id })'},
  status: () => 'ready',
  naturalKey: ${naturalKey},
  ${isLookedUp ? 'steps: () => [],' : stepsText()}
  ${removalText()}
})
${listBelow()}`
  return `// ${name}: say in one sentence what it is and how it is made.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
${importOf(['immutable', 'ref'], './definition/fields.ts', body)}${importOf(['defineKind', 'pick'], './definition/kind.ts', body)}${has("import type { At, Reader } from './definition/kind.ts'\n")}${importOf(['anyCase', 'maybe', 'present'], './definition/live-fields.ts', body)}import { defineShape${/\bidOf\b/.test(body) ? ', idOf' : ''} } from './definition/shape.ts'
${body}`
}

async function register() {
  const registry = 'src/kinds/registry.ts'
  const text = await readFile(registry, 'utf8')
  const withImport = text.replace('import type { AnyKind }', `import { ${name} } from './${file}.ts'\nimport type { AnyKind }`)
  await writeFile(registry, withImport.replace('\n])', `\n  ${name},\n])`))
}
