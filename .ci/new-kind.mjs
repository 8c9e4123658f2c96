// Begins a kind: npm run new:kind -- SshKey listSshKeys getSshKey createSshKey deleteSshKey
import { readFile, readdir, writeFile } from 'node:fs/promises'

const [name, list, get, create, remove] = process.argv.slice(2)
if (!/^[A-Z][A-Za-z0-9]*$/.test(name ?? '') || !remove) {
  console.error('usage: npm run new:kind -- KIND LIST_ROUTE GET_ROUTE CREATE_ROUTE DELETE_ROUTE')
  process.exit(3)
}
const file = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
const folder = 'src/api/routes'
const sources = await Promise.all((await readdir(folder)).filter((one) => one.endsWith('.ts')).map((one) => readFile(`${folder}/${one}`, 'utf8')))

/** The names in a route's path, and its section. */
function routeOf(route) {
  const pattern = new RegExp(`\\b${route}: route\\(section, '\\w+', '([^']+)'`)
  const source = sources.find((one) => pattern.test(one))
  if (!source) {
    console.error(`there is no route called ${route} in ${folder}`)
    process.exit(3)
  }
  const path = pattern.exec(source)[1]
  return { params: [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one), section: /const section = '([^']+)'/.exec(source)[1] }
}

const at = (route, workspace, id) =>
  `{ ${routeOf(route)
    .params.map((one) => `${one}: ${one === 'wid' ? workspace : id}`)
    .join(', ')} }`

await writeFile(
  `src/kinds/${file}.ts`,
  `// ${name}: say in one sentence what it is and how it is made.
import * as z from 'zod'
import { call } from '../api/call.ts'
import { routes } from '../api/routes/routes.ts'
import { immutable, mark } from './fields.ts'
import { defineKind, pick } from './kind.ts'
import { defineShape, idOf } from './shape.ts'

const spec = z.strictObject({
  name: immutable(mark(z.string().min(1), { shown: true })).describe('its name'),
})

const live = defineShape('${name}', z.object({ id: idOf, name: z.string().optional() }))

export const ${name} = defineKind({
  name: '${name}',
  plural: '${name.toLowerCase()}s',
  about: 'One sentence for explain and the reference.',
  section: '${routeOf(list).section}',
  scope: 'workspace',
  spec,
  live,
  outputs: { id: { type: 'string', about: 'its id' } },
  examples: [{ title: 'The smallest one', spec: { name: 'main' }, changes: { name: 'other' } }],
  list: (api, at) => api.all(call(routes.${list}, ${at(list, 'at.workspaceId', 'at.workspaceId')}), live),
  read: (api, id) => api.one(call(routes.${get}, ${at(get, 'at.workspaceId', 'id')}), live),
  id: (one) => one.id,
  toSpec: (one) => pick(one, ['name']),
  outputsOf: (one) => ({ id: one.id }),
  status: () => 'ready',
  naturalKey: (one) => String(one.name),
  steps({ workspaceId, desired, live: there }) {
    return there ? [] : [{ name: 'create', creates: true, call: call(routes.${create}, ${at(create, 'workspaceId', 'workspaceId')}, desired), sets: desired }]
  },
  removal: ({ id }) => [{ name: 'delete', removes: true, call: call(routes.${remove}, ${at(remove, 'workspaceId', 'id')}), sets: {} }],
})
`,
  { flag: 'wx' },
)

const registry = 'src/kinds/registry.ts'
const text = await readFile(registry, 'utf8')
const withImport = text.replace('import type { AnyKind }', `import { ${name} } from './${file}.ts'\nimport type { AnyKind }`)
await writeFile(registry, withImport.replace('\n])', `\n  ${name},\n])`))
console.log(`src/kinds/${file}.ts and its line in ${registry} are there; npm run fix, then fill it in (src/kinds/vpc.ts is a finished example)`)
