// What is no YAML is said without showing a secret, wherever one may stand.
import { describe, expect, test } from 'vitest'
import { load, manifest } from '../../../test/builders/project.ts'

const project = (text: string) => `apiVersion: iac/v1\nkind: Project\nname: p\n${text}`
const declares = project('variables:\n  db: { type: any, sensitive: true, default: "" }\n')
const vpc = manifest('Vpc', 'main', 'name: main\ndescription: d\nrange: 10.0.0.0/24')
const secret = (data: string) => manifest('K3sSecret', 'db', data)

describe('an error', () => {
  test.each([
    ['vf.yaml', 'db: "hunter2'],
    ['vf.yaml', 'db: hunter2: x'],
    ['vf.yaml', 'db: !foo hunter2'],
    ['vf.yaml', 'db: !hunter2 x'],
    ['vf.yaml', 'db: *hunter2'],
    ['vf.yaml', 'db: {hunter2: 1, hunter2: 2}'],
    ['vf.yaml', 'db: {hunter2\u200b: 1}'],
    ['vf.yaml', 'db: hunter2\ndb: hunter2'],
    ['vf.yaml', 'hunter2'],
    ['iac.yaml', 'variables:\n  db: { sensitive: true }\n  pw:\n    default: hunter2: x\n'],
    ['iac.yaml', 'variables:\n  db:\n    default: a\n    default: hunter2\n'],
    ['iac.yaml', 'variables:\n  db: !hunter2 {}\n'],
    ['iac.yaml', 'variables: {\ndb: hunter2: x\n}\n'],
    ['iac.yaml', 'variables: { db: hunter2 }\n'],
    ['iac.yaml', 'variables: hunter2\n'],
    ['iac.yaml', 'environments:\n  s:\n    variables:\n      db: !x hunter2\n'],
    ['iac.yaml', 'environments: { s: { variables: { db: "hunter2 } } }\n'],
    ['iac.yaml', 'outputs:\n  a: { sensitive: true, value: hunter2: x }\n'],
    ['iac.yaml', 'variabels:\n  db: hunter2: x\n'],
    ['iac.yaml', 'state: { encryption: { keys: ["hunter2 0123456789"] } }\n'],
    ['iac.yaml', 'state:\n  encryption:\n    keys:\n      - hunter2\n'],
    ['iac.yaml', 'state: { encryption: { keys: hunter2 } }\n'],
    ['iac.yaml', 'state: { encryption: { key: hunter2 } }\n'],
    ['iac.yaml', 'state: { encryption: hunter2 }\n'],
    ['iac.yaml', 'state: { encryption_key: hunter2 }\n'],
    ['iac.yaml', 'state: https://u:hunter2@127.0.0.1/x\n'],
    ['iac.yaml', 'state: { backend: http, address: "https://u:hunter2@127.0.0.1:1/x" }\n'],
    ['iac.yaml', 'state: { backend: http, address: "https://127.0.0.1/x#token=hunter2" }\n'],
    ['iac.yaml', 'state: { backend: http, journal_address: "https://hunter2@127.0.0.1:1/x" }\n'],
    ['iac.yaml', 'state: { backend: http, lock_address: "https://127.0.0.1/x?token=hunter2", path_style: 1 }\n'],
    ['iac.yaml', 'state: { backend: s3, bucket: abc, endpoint: "http://hunter2@127.0.0.1:1" }\n'],
    ['iac.yaml', 'environments: { e: { state: { backend: http, unlock_address: "https://hunter2@127.0.0.1" } } }\n'],
    ['iac.yaml', 'state:\n  encryption:\n    keys: [hunter2: x: y]\n'],
    ['iac.yaml', 'state: { address: "hunter2 }\n'],
    ['a.yaml', secret('data:\n  PG: a\n  PG: hunter2')],
    ['a.yaml', secret('data:\n  PG: hunter2: x')],
    ['a.yaml', secret('data:\n  PG: !!binary hunter2')],
    ['a.yaml', secret('data: { PG: "hunter2 }')],
    ['a.yaml', secret('data:\n  PG:\n    - *hunter2')],
    ['a.yaml', secret('daat:\n  PG: hunter2: x')],
    ['a.yaml', secret('data:\n  PG: hunter2: x').replace('kind: K3sSecret', 'kind: K3sSecrte')],
    ['a.yaml', 'apiVersion: iac/v1\nkind: K3sSecret\n{ data: hunter2: x }\n'],
    ['a.yaml', '{apiVersion: iac/v1, kind: K3sSecret, metadata: {name: a}, spec: {data: {A: hunter2, A: hunter2}}}\n'],
    ['a.yaml', `${vpc.trim()}\n${secret('data:\n  PG: hunter2: x').replace(/^---\n/, '')}`],
    ['a.yaml', 'kind: Vpc\n<<<<<<< HEAD\nkind: K3sSecret\nmetadata: {name: a}\nspec:\n  data:\n    PG: hunter2: x\n'],
    ['a.yaml', '{"apiVersion": "iac/v1", "kind": "K3sSecret", "metadata": {"name": "a"}, "spec": {"data": {"A": !hunter2 b}\n'],
    ['a.yaml', '{"kind": "k3ssecret", "metadata": {"name": "a"},\n "spec": {"data": {\n  "A": "hunter2\n }}}\n'],
    ['a.yaml', manifest('Instance', 'a', 'cloud_init: |\n  x\n hunter2: y\n')],
    ['a.yaml', manifest('Vpc', 'a', `description: "\${sensitive('hunter2') + }"`)],
    ['a.yaml', manifest('Vpc', 'a', `description: "\${sensitive('hunter2').foo(1)}"`)],
    ['a.yaml', manifest('Vpc', 'a', `description: >-\n  \${sensitive('a')\n  + 'hunter2'.foo(1)}`)],
    ['a.yaml', manifest('Vpc', 'a', `description: "\${sensitive('hunter2')}`)],
    ['a.yaml', manifest('Vpc', 'a', `description: \${sensitive('hunter2')}: x`)],
    ['iac.yaml', `outputs:\n  a: { value: "\${sensitive('hunter2').foo(1)}" }\n`],
  ])('in %s shows nothing of %j', (file, text) => {
    const texts = { 'iac.yaml': file === 'iac.yaml' ? project(text) : declares, 'a.yaml': file === 'a.yaml' ? text : vpc }
    const variables = { flags: [], files: file === 'vf.yaml' ? [{ file, text }] : [], environment: {} }
    const { diagnostics } = load(texts, { variables })
    expect(diagnostics.some((one) => one.severity === 'error' && one.position?.file === file)).toBe(true)
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2')
  })

  test('of a value that an expression gives shows no line of it', () => {
    const { diagnostics } = load(manifest('Vpc', 'main', `description: "\${sensitive('hunter2') + 1}"\nrange: 10.0.0.0/24`))
    expect(diagnostics.map((one) => [one.code, one.position?.text])).toEqual([['expression', undefined]])
  })

  test.each([
    ['iac.yaml', project('guards: { max_destroy: !x 1 }\n'), 'guards: { max_destroy: !x 1 }'],
    ['iac.yaml', project('state: { backend: ftp }\n'), 'state: { backend: ftp }'],
    ['iac.yaml', project('state:\n  backend: s3\n  endpoint: https://a.test\n'), 'state:'],
    ['iac.yaml', project('moved:\n- from: Vpc/a: b\n  to: Vpc/c\n'), '- from: Vpc/a: b'],
    ['a.yaml', manifest('Vpc', 'main', 'name: a: b'), '  name: a: b'],
    ['a.yaml', manifest('Vpc', 'main', `description: "\${sensitive('a')}"\nname: a: b`), '  name: a: b'],
    ['a.yaml', manifest('Instance', 'main', 'storage:\n  - size_bytes: a: b'), '    - size_bytes: a: b'],
    ['a.yaml', secret('name: a: b'), '  name: a: b'],
    ['a.yaml', secret('data:\n  A: b').replace('name: db', 'name: a: b'), '  name: a: b'],
    ['a.yaml', secret('name: a: b').replace('kind: K3sSecret', 'kind: K3sSecrte'), '  name: a: b'],
  ])('in %s shows a line that holds none: %j', (file, text, line) => {
    const { diagnostics } = load({ [file]: text })
    expect(diagnostics.map((one) => one.position?.text)).toContain(line)
  })
})
