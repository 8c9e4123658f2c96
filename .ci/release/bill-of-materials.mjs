// What is in the program, as a bill of materials in the words of CycloneDX 1.6: the packages that are bundled, and node with what it brings along.
import { createHash } from 'node:crypto'

/**
 * The document. `packages` and `embedded` are those of licences.mjs, `node` is its version, what it tells of its own parts
 * (`process.versions`), and by target the hash of the package that it came in.
 */
export function billOfMaterials({ version, licence, epoch, packages, embedded, node }) {
  const bundled = packages.map(componentOf)
  const within = embedded.map(({ name, licence: its, within: owner }) => ({
    owner,
    component: { ...bare('library', name, undefined, its), 'bom-ref': `${owner}/${name}` },
  }))
  for (const { owner, component } of within) bundled.find(({ name, group }) => nameIn({ name, group }) === owner).components = [component]
  const nodes = Object.entries(node.integrities).map(([target, integrity]) => nodeOf(target, integrity, node))
  const root = { ...bare('application', 'iac', version, licence), 'bom-ref': `iac@${version}`, purl: `pkg:generic/iac@${version}` }
  const components = [...bundled, ...nodes]
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: new Date(epoch * 1000).toISOString(), lifecycles: [{ phase: 'build' }], component: root },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }, ...packages.map((one) => needsOf(one, packages))],
  }
  return { ...document, serialNumber: serialOf(JSON.stringify(document)) }
}

function componentOf({ name, version, licence }) {
  const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    ...bare('library', own, version, licence),
    ...(group === undefined ? {} : { group }),
    'bom-ref': refOf({ name, version }),
    purl: purlOf(name, version),
  }
}

function nameIn({ name, group }) {
  return group === undefined ? name : `${group}/${name}`
}

function refOf({ name, version }) {
  return `${name}@${version}`
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function bare(type, name, version, licence) {
  return {
    type,
    name,
    ...(version === undefined ? {} : { version }),
    licenses: [/^[\w.+-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence }],
  }
}

/** Of the packages that are here those that it names. */
function needsOf(one, packages) {
  return { ref: refOf(one), dependsOn: packages.filter(({ name }) => one.needs.includes(name)).map(refOf) }
}

function nodeOf(target, integrity, { version, parts }) {
  const name = `node-${target}`
  const ref = refOf({ name, version })
  return {
    ...bare('application', name, version, 'MIT'),
    'bom-ref': ref,
    purl: purlOf(name, version),
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    components: Object.entries(parts)
      .filter(([part, its]) => part !== 'node' && part !== 'modules' && /^\d+\.\d/.test(its))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([part, its]) => ({
        type: 'library',
        name: part,
        version: its,
        'bom-ref': `${ref}/${part}@${its}`,
        ...(part === 'openssl' ? { cpe: opensslCpe(its) } : {}),
      })),
  }
}

function opensslCpe(version) {
  return `cpe:2.3:a:openssl:openssl:${version.replace(/\+.*/, '')}:*:*:*:*:*:*:*`
}

/** Of the same content always the same one. */
function serialOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
