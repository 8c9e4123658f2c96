// iac.yaml: settings, environments, blocks, and what is refused there.
import { describe, expect, test } from 'vitest'
import { load, loaded, manifest, memoryFiles, mistakes, resource, scopeOf } from '../../../test/builders/project.ts'
import { findProject } from '../files/find-project.ts'
import { stateBackends } from './state-backends.ts'

const vpc = (name: string, metadata = '') => manifest('Vpc', name, `name: ${name}-net\ndescription: d\nrange: 10.0.0.0/24`, metadata)
const project = (text: string, manifests = vpc('main')) => ({ 'iac.yaml': `apiVersion: iac/v1\nkind: Project\n${text}`, 'a.yaml': manifests })

describe('settings', () => {
  test('without a file', () => {
    expect(loaded(vpc('main'))).toMatchObject({
      name: 'p',
      environment: null,
      workspace: { only: true },
      state: { backend: 'local', path: '.iac/state.json' },
      partial: false,
      compat: { page_size: 100 },
    })
  })

  test('with everything', () => {
    const text =
      'name: shop\nprovider: {workspace: {id: 9007199254740993}, compat: {dhcp_method: PUT}}\nstate: {backend: local, path: k/state.json}\nguards: {max_destroy: 5}\n'
    expect(loaded(project(text))).toMatchObject({
      name: 'shop',
      workspace: { id: '9007199254740993' },
      compat: { dhcp_method: 'PUT', page_size: 100 },
      state: { backend: 'local', path: 'k/state.json' },
      maxDestroy: 5,
    })
  })

  test.each([
    ['', 'staging: {}', '.iac/state-staging.json'],
    ['state: {path: s.json}\n', 'staging: {}', 's-staging.json'],
    ['state: {path: s.json}\n', 'staging: {state: {path: own.json}}', 'own.json'],
    ['state: {path: a.b/c}\n', 'staging:', 'a.b/c-staging'],
  ])('the state of an environment: %s%s', (state, block, path) => {
    expect(loaded(project(`${state}environments: {${block}}\n`), { environment: 'staging' }).state).toEqual({ backend: 'local', path })
    expect(loaded(project(`${state}environments: {${block}}\n`), { environment: 'staging', sandbox: true }).state).toMatchObject({
      backend: 'local',
      path: '.iac/sandbox/state-staging.json',
    })
  })

  test.each([
    ['name: shop\nstate: {backend: postgres}\n', 'staging: {}', { schema: 'iac', name: 'shop-staging' }],
    ['name: shop\nstate: {backend: postgres, schema: x, name: y}\n', 'staging: {}', { schema: 'x', name: 'y-staging' }],
    ['name: shop\nstate: {backend: postgres, schema: x}\n', 'staging: {state: {name: z}}', { schema: 'x', name: 'z' }],
    ['name: shop\nstate: {path: s.json}\n', 'staging: {state: {backend: postgres}}', { schema: 'iac', name: 'shop' }],
  ])('a state in a database: %s%s', (state, block, expected) => {
    expect(loaded(project(`${state}environments: {${block}}\n`), { environment: 'staging' }).state).toEqual({ backend: 'postgres', ...expected })
  })

  test.each([
    ['name: shop\nstate: {backend: s3, bucket: abc}\n', 'staging: {}', { bucket: 'abc', key: 'shop/state-staging.json' }],
    ['state: {backend: s3, bucket: abc, key: a/b, path_style: true}\n', 'staging: {}', { bucket: 'abc', key: 'a/b-staging', pathStyle: true }],
    ['state: {backend: s3, bucket: abc, key: a}\n', 'staging: {state: {key: z.json}}', { bucket: 'abc', key: 'z.json' }],
    ['', 'staging: {state: {backend: s3, bucket: abc, key: k, region: eu-1}}', { bucket: 'abc', key: 'k', region: 'eu-1' }],
  ])('a state in a bucket: %s%s', (state, block, expected) => {
    expect(loaded(project(`${state}environments: {${block}}\n`), { environment: 'staging' }).state).toEqual({ backend: 's3', ...expected })
  })

  test.each([
    ['state: {backend: http}\n', 'staging: {}', { suffix: 'staging' }],
    ['state: {backend: http, address: "https://h/s", lock_method: POST}\n', 'staging: {}', { address: 'https://h/s', lockMethod: 'POST', suffix: 'staging' }],
    [
      'state: {backend: http, address: "https://h/s", lock_address: "https://h/s/lock", journal_address: "https://h/j", unlock_method: DELETE}\n',
      'staging: {state: {address: "https://h/t"}}',
      { address: 'https://h/t', unlockMethod: 'DELETE', suffix: null },
    ],
  ])('a state on a server: %s%s', (state, block, expected) => {
    expect(loaded(project(`${state}environments: {${block}}\n`), { environment: 'staging' }).state).toEqual({ backend: 'http', ...expected })
  })

  test.each(['h/s', 'ftp://h/s', 'https://u:p@h/s', 'https://h/s#x', 'https://h/a b', 'https:///s'])('the address %s is refused', (address) => {
    expect(mistakes(project(`state: {backend: http, address: "${address}"}\n`))).toHaveLength(1)
  })

  test.each([
    ['state: {backend: s3}', 'missing_field 3:1 the backend s3 needs bucket'],
    ['environments: {e: {state: {backend: s3, key: k}}}', 'missing_field 3:20 the backend s3 needs bucket'],
  ])('%s is refused: it is nowhere', (text, says) => {
    expect(mistakes(project(`${text}\n`))).toEqual([says])
  })

  test.each(['/a', 'a//b', '../a', 'a/..', 'a/./b', 'a b', 'a?b', 'a%2fb'])('the key %s is refused', (key) => {
    expect(mistakes(project(`state: {backend: s3, bucket: abc, key: "${key}"}\n`))).toHaveLength(1)
  })

  test.each([
    ['state: {schema: x}', 'invalid_value 3:9 schema is no setting of the backend local'],
    ['state: {bucket: abc}', 'invalid_value 3:9 bucket is no setting of the backend local'],
    ['state: {endpoint: https://h}', 'invalid_value 3:9 endpoint is no setting of the backend local'],
    ['state: {backend: postgres, path: x}', 'invalid_value 3:28 path is no setting of the backend postgres'],
    ['state: {backend: postgres}\nenvironments: {e: {state: {path: x}}}', 'invalid_value 4:28 path is no setting of the backend postgres'],
  ])('%s is refused: no backend has both', (text, says) => {
    expect(mistakes(project(`${text}\n`))).toEqual([says])
  })

  test.each([
    ['environments: {e: {state: {backend: consul}}}', 'invalid_value 3:37 backend must be one of NAMES, got the text "consul"'],
    ['environments: {e: {state: {token: x}}}', 'unknown_field 3:28 no field "token" exists here'],
  ])('%s is refused: this version does not have it', (text, says) => {
    const names = Object.keys(stateBackends).join(', ')
    const settings = Object.values(stateBackends).flatMap(({ fields }) => Object.keys(fields))
    const hint = `this version keeps the state with the backends ${names} only; known here: ${['backend', ...settings, 'encryption'].join(', ')}`
    expect(mistakes(project(`${text}\n`))).toEqual([says.replace('NAMES', names)])
    expect(load(project(`${text}\n`)).diagnostics).toMatchObject([{ hint }])
  })

  test.each([
    ['state: {path: ".iac/${vars.p}.json"}', '3:15', 'state.path'],
    ['environments: {e: {state: {path: "x/${env}.json"}}}', '3:34', 'environments.e.state.path'],
    ['name: "shop-${vars.p}"', '3:7', 'name'],
    ['manifests: ["a.yaml", "${vars.p}/*.yaml"]', '3:23', 'manifests'],
    ['default_environment: "${vars.p}"', '3:22', 'default_environment'],
    ['moved: [{from: "Vpc/${vars.p}", to: Vpc/main}]', '3:16', 'moved.from'],
    ['removed: [{address: "Vpc/${vars.p}"}]', '3:21', 'removed.address'],
    ['provider: {compat: {attach_ip: "POST /v1/${vars.p}"}}', '3:32', 'provider.compat.attach_ip'],
    ['guards: {max_destroy: "${vars.p}"}', '3:23', 'guards.max_destroy'],
    ['variables: {p: {default: "x-${vars.q}"}}', '3:26', 'the value of a variable'],
    ['variables: {p: {default: [1, "${Vpc[\'main\'].id}"]}}', '3:30', 'the value of a variable'],
    ['variables: {p: {}}\nenvironments: {e: {variables: {p: "${each.key}"}}}', '4:35', 'the value of a variable'],
  ])('%s: no expression is evaluated there', (text, at, name) => {
    const found = mistakes(project(`${text}\n`)).filter((one) => one.includes('evaluated'))
    expect(found).toEqual([`invalid_value ${at} expressions are not evaluated here: \${…} would be taken as it stands for ${name}`])
  })

  test('what is evaluated, text for people, and a script as a value may hold one', () => {
    const text =
      'provider: {workspace: {name: "${vars.p}"}}\nvariables: {p: {default: "echo ${HOME} ${A[1]}", description: "as in ${vars.p}"}, q: {default: "$${vars.p}"}}\noutputs: {o: {value: "${vars.p}"}}\n'
    expect(load(project(text)).diagnostics).toEqual([])
  })

  test('what is nearly a setting of the state is told as such', () => {
    expect(load(project('state: {pth: x}\n')).diagnostics).toMatchObject([{ code: 'unknown_field', hint: 'did you mean "path"?' }])
  })

  test.each([
    ['provider: {compat: {dhcp_metod: PUT}}', /unknown_field .*dhcp_metod/],
    ['provider: {workspace: prod}', /unknown_reference .*prod/],
    ['manifests: ["../x/*.yaml"]', /invalid_value .*out of the project/],
    ['manifests: ["/etc/*.yaml"]', /invalid_value .*relative/],
    ['guards: {max_destroy: -1}', /invalid_value .*at least 0/],
    ['environments: {a/b: {}}', /invalid_value/],
    ['variables: {a-b: {}}', /invalid_value/],
    ['---\nb: 1', /one document/],
  ])('%s is wrong', (text, words) => {
    expect(mistakes(project(`${text}\n`)).join('\n')).toMatch(words)
  })

  test('an environment must be declared', () => {
    expect(load(project('environments: {staging: {}}\n'), { environment: 'stagin' }).diagnostics).toMatchObject([
      { code: 'unknown_environment', hint: 'did you mean "staging"?' },
    ])
  })

  test('a file that is empty, another version, no project', () => {
    expect(mistakes({ 'iac.yaml': '' })[0]).toMatch(/missing_field .*empty/)
    expect(mistakes({ 'iac.yaml': 'apiVersion: iac/v2\n' })[0]).toMatch(/unsupported_version/)
    expect(mistakes({ 'iac.yaml': 'name: x\n' }).map((one) => one.split(' ')[0])).toEqual(['no_resources', 'missing_field', 'missing_field'])
  })

  test('the nearest folder upwards', () => {
    const files = memoryFiles({ '/a/iac.yaml': '', '/a/b/c/d.yaml': '' })
    expect([findProject(files, '/a/b/c'), findProject(files, '/x/y')]).toEqual(['/a', '/x/y'])
  })
})

describe('which manifests', () => {
  test('patterns, never iac.yaml', () => {
    const files = {
      'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nmanifests: ["infra/**/*.yaml"]\n',
      'infra/a.yaml': vpc('one'),
      'infra/x/y/b.yaml': vpc('two'),
      'c.yaml': vpc('three'),
      'infra/d.yml': vpc('four'),
    }
    expect(loaded(files).resources.map((one) => one.address)).toEqual(['Vpc/one', 'Vpc/two'])
  })

  test('a pattern that fits no file is warned of', () => {
    const { project: found, diagnostics } = load(project('manifests: [nothere.yaml, "*.yaml", ".x/*.yaml", iac.yaml]\n'))
    expect(found?.resources).toHaveLength(1)
    expect(diagnostics.map((one) => `${one.severity} ${one.position?.line}:${one.position?.column} ${one.summary}`)).toEqual([
      'warning 3:13 no file fits the pattern "nothere.yaml"',
      'warning 3:37 no file fits the pattern ".x/*.yaml"',
      'warning 3:50 no file fits the pattern "iac.yaml"',
    ])
    expect(load(project('manifests: [nothere.yaml]\n'), { named: { paths: [{ path: '/p/a.yaml', shown: 'a.yaml' }], stdin: undefined } }).diagnostics).toEqual(
      [],
    )
  })

  test('hashes of everything that was read', () => {
    const rule = manifest('Vpc', 'main', "name: main\ndescription: ${file('t/x.txt')}\nrange: 10.0.0.0/24")
    expect(Object.keys(loaded({ ...project('', rule), 't/x.txt': 'hello' }).hashes).toSorted()).toEqual(['a.yaml', 'iac.yaml', 't/x.txt'])
  })

  test.each([
    ['environments: { "a b": {} }', 'invalid_value 3:17 "a b" cannot stand here as a name: it must match /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/'],
    ['variables: { a-b: {} }', 'invalid_value 3:14 "a-b" cannot stand here as a name: it must match /^[A-Za-z_][A-Za-z0-9_]{0,62}$/'],
    ['outputs: { "": { value: 1 } }', 'invalid_value 3:12 "" cannot stand here as a name: it must match /^[A-Za-z_][A-Za-z0-9_]{0,62}$/'],
  ])('%s: a name that is none is said of the name', (line, says) => {
    const found = mistakes({ 'iac.yaml': `apiVersion: iac/v1\nkind: Project\n${line}\n`, 'a.yaml': vpc('one') })
    expect(found).toEqual([says])
  })
  test('none: says what makes one', () => {
    expect(load({}).diagnostics).toMatchObject([{ code: 'no_resources', hint: '`iac init` writes a project file and a first manifest' }])
    const empty = load({ 'iac.yaml': 'apiVersion: iac/v1\nkind: Project\n' }).diagnostics
    expect(empty).toMatchObject([{ code: 'no_resources', hint: 'a manifest is a map that begins with apiVersion: iac/v1 and kind' }])
  })
  test('named ones each once, however often they are named', () => {
    const paths = ['/p/sub/b.yaml', '/p/sub', '/p/sub/b.yaml', '/p/sub'].map((path) => ({ path, shown: path.slice(3) }))
    expect(loaded({ 'sub/b.yaml': vpc('two') }, { named: { paths, stdin: undefined } }).manifests).toBe(1)
  })
  test('named ones alone', () => {
    const named = { paths: [{ path: '/p/sub', shown: './sub/' }], stdin: undefined }
    const all = loaded({ 'a.yaml': vpc('one'), 'sub/b.yaml': vpc('two') }, { named })
    expect(all).toMatchObject({ partial: true, manifests: 1, resources: [{ address: 'Vpc/two' }] })
    expect(all.resources[0]?.position()).toMatchObject({ file: './sub/b.yaml', line: 5 })
  })
})

describe('workspaces', () => {
  const workspace = manifest('Workspace', 'prod', '')
  test('come from metadata, else from the project', () => {
    const files = project('provider: {workspace: prod}\n', workspace + vpc('a') + vpc('b', 'workspace: {name: "x y"}') + vpc('c', 'workspace: "7"'))
    const all = loaded(files)
    expect(['Vpc/a', 'Vpc/b', 'Vpc/c', 'Workspace/prod'].map((address) => resource(all, address).workspace)).toEqual([
      { address: 'Workspace/prod' },
      { name: 'x y', position: expect.any(Function) },
      { id: '7', position: expect.any(Function) },
      undefined,
    ])
    expect(resource(all, 'Vpc/a').references).toEqual(['Workspace/prod'])
  })

  test('of a parent hold for what hangs on it', () => {
    const web = manifest('Instance', 'web', 'type: PLAN\nplan: p\nregion: r', 'workspace: {id: "7"}')
    const rule = manifest('FirewallRule', 'ssh', 'instance: web\ntype: IPv4\nprotocol: TCP\naction: ACCEPT')
    expect(resource(loaded(web + rule), 'FirewallRule/ssh').workspace).toEqual({ id: '7', position: expect.any(Function) })
  })

  test('are none for what belongs to the account', () => {
    expect(mistakes(manifest('Workspace', 'prod', '', 'workspace: {id: "1"}'))[0]).toMatch(/in no workspace/)
  })
})

describe('metadata', () => {
  test('lifecycle, timeouts, import, depends_on', () => {
    const metadata =
      'lifecycle: {prevent_destroy: true, ignore_changes: [/description], on_remove: retain}\ntimeouts: {create: 1h30m}\nimport: {id: 9007199254740993}\ndepends_on: [Vpc/z]'
    expect(resource(loaded(vpc('a', metadata) + vpc('z')), 'Vpc/a')).toMatchObject({
      lifecycle: { preventDestroy: true, createBeforeDestroy: false, ignoreChanges: ['/description'], onRemove: 'retain' },
      timeoutsMs: { create: 5_400_000 },
      importId: '9007199254740993',
      dependsOn: ['Vpc/z'],
    })
  })

  test('patterns in depends_on', () => {
    expect(resource(loaded(vpc('a', 'depends_on: ["Vpc/z-*"]') + vpc('z-1') + vpc('z-2')), 'Vpc/a').dependsOn).toEqual(['Vpc/z-1', 'Vpc/z-2'])
  })

  test.each([
    ['lifecycle: {ignore_changes: [/rnge]}', /unknown_field .*rnge/],
    ['lifecycle: {on_remove: keep}', /invalid_value .*delete, retain/],
    ['lifecycle: {prevent_destory: true}', /unknown_field .*prevent_destory/],
    ['timeouts: {create: 5}', /invalid_value .*got 5/],
    ['timeouts: {create: 0s}', /invalid_value .*duration/],
    ['depends_on: [Vpc/y]', /unknown_reference .*Vpc\/y/],
    ['depends_on: [Vpcc/y]', /unknown_kind .*Vpcc/],
    ['depends_on: [Vpc/a]', /cycle .*itself/],
    ['lifecycle: {replace_triggered_by: [Vpc/y]}', /unknown_reference .*Vpc\/y/],
    ['import: {id: true}', /invalid_value .*id to import/],
    ['import: {id: "../x"}', /invalid_value .*"\.\.\/x" is no id of a Vpc/],
    ['import: {id: "1/2"}', /invalid_value .*"1\/2" is no id of a Vpc/],
    ['labels: {iac.owner: x}', /unknown_field .*labels/],
  ])('%s is wrong', (metadata, words) => {
    expect(mistakes(vpc('a', metadata)).join('\n')).toMatch(words)
  })
})

describe('blocks', () => {
  const moved = (text: string) => project(`moved: [${text}]\n`)
  test('moved and removed', () => {
    expect(loaded(project('moved: [{from: Vpc/old, to: Vpc/main}]\nremoved: [{address: Vpc/gone, destroy: false}, {address: Vpc/away}]\n'))).toMatchObject({
      moved: [{ from: 'Vpc/old', to: 'Vpc/main' }],
      removed: [
        { address: 'Vpc/gone', destroy: false },
        { address: 'Vpc/away', destroy: true },
      ],
    })
  })

  test('moved and removed name keys that hold what looks like an expression as manifests do', () => {
    const keyed = project(`moved: [{from: 'Vpc/old["$\${x}"]', to: 'Vpc/new["$\${x}"]'}]\nremoved: [{address: 'Vpc/gone["$\${x}"]'}]\n`)
    expect(loaded(keyed)).toMatchObject({ moved: [{ from: 'Vpc/old["${x}"]', to: 'Vpc/new["${x}"]' }], removed: [{ address: 'Vpc/gone["${x}"]' }] })
    expect(mistakes(project(`removed: [{address: 'Vpc/gone["\${x}"]'}]\n`))).toEqual([expect.stringMatching(/expressions are not evaluated here/)])
  })

  test.each([
    ['{from: Vpc/main, to: Vpc/x}', /still declared/],
    ['{from: Vpc/a, to: Instance/a}', /cannot become/],
    ['{from: a, to: Vpc/b}', /no address/],
    ['{from: Vpc/a, to: Vpc/b}, {from: Vpc/a, to: Vpc/c}', /moves twice/],
    ['{from: Vpc/a, to: Vpc/c}, {from: Vpc/b, to: Vpc/c}', /two resources/],
    [`{from: 'Vpc/a["k"]', to: Vpc/c}, {from: 'Vpc/a["\\u006b"]', to: Vpc/d}`, / 3:\d+ Vpc\/a\["k"\] moves twice/],
    [`{from: 'Vpc/a["k"]', to: 'Vpc/a["\\u006b"]'}`, /moves to itself/],
    ['{from: Vpc/a, to: Vpc/b}, {from: Vpc/b, to: Vpc/c}, {from: Vpc/c, to: Vpc/a}', / 3:27 the moves from Vpc\/a lead in a circle/],
    [`{from: Vpc/a, to: Vpc/b}, {from: 'Vpc/b["k"]', to: 'Vpc/a["k"]'}`, /the moves from Vpc\/b\["k"\] lead in a circle/],
    [`{from: Vpc/a, to: 'Vpc/a["k"]'}, {from: 'Vpc/a["k"]', to: Vpc/a}`, /lead in a circle/],
  ])('moved %s', (text, words) => {
    expect(mistakes(moved(text))[0]).toMatch(/moved_conflict/)
    expect(mistakes(moved(text))[0]).toMatch(words)
  })

  test('a whole for_each moves only if none of it is declared; a single one that gets keys does', () => {
    const keyed = vpc('main', 'for_each: [k]').replace('main-net', 'main-${each.key}')
    const moving = (block: string) => project(`moved: [${block}]\n`, keyed)
    expect(mistakes(moving('{from: Vpc/main, to: Vpc/x}'))).toEqual(['moved_conflict 3:16 Vpc/main["k"] is still declared'])
    expect(loaded(moving(`{from: Vpc/main, to: 'Vpc/main["\\u006b"]'}`)).moved).toMatchObject([{ from: 'Vpc/main', to: 'Vpc/main["k"]' }])
  })

  test.each([
    // What has no key is the same in all of them.
    ['moved: [{from: Vpc/main, to: Vpc/x}]', ['moved_conflict 3:16 Vpc/main is still declared']],
    ['removed: [{address: Vpc/main, destroy: false}]', ['moved_conflict 3:21 Vpc/main is still declared']],
    ['removed: [{address: "Vpc/*"}]', ['moved_conflict 3:21 Vpc/main is still declared']],
    [`moved: [{from: 'Vpc/net["a"]', to: 'Vpc/net["c"]'}]`, []],
    ['moved: [{from: Vpc/net, to: Vpc/main}]', []],
    ['moved: [{from: Vpc/net, to: Vpc/lan}]', ['moved_conflict 3:16 Vpc/net["b"] cannot move to Vpc/lan["b"]: Vpc/net["b"] is still declared']],
    [`moved: [{from: 'Vpc/net["a"]', to: 'Vpc/net["b"]'}]`, ['moved_conflict 3:16 Vpc/net["a"] cannot move to Vpc/net["b"]: Vpc/net["a"] is still declared']],
    [
      'moved: [{from: Vpc/x, to: Vpc/net}, {from: Vpc/y, to: Vpc/x}, {from: Vpc/net, to: Vpc/z}, {from: Vpc/z, to: Vpc/lan}]',
      ['moved_conflict 3:70 Vpc/net["b"] cannot move to Vpc/lan["b"]: Vpc/net["b"] is still declared'],
    ],
    ['moved: [{from: Vpc/a, to: Vpc/b}, {from: Vpc/b, to: Vpc/a}]', ['moved_conflict 3:27 the moves from Vpc/a lead in a circle']],
    ['removed: [{address: "Vpc/n*", destroy: false}]', []],
  ])('%s where there are environments', (block, says) => {
    const keyed = (name: string, keys: string) => vpc(name, `for_each: ${keys}`).replace(`${name}-net`, `${name}-\${each.key}`)
    const beside = [vpc('main'), keyed('net', '[a, b]'), keyed('lan', '[b, c]')].join('')
    const of = (environments: string) => project(`${block}\n${environments}`, beside)
    expect(
      load(of('environments: {prod: }\n')).diagnostics.map(({ code, position, summary }) => `${code} ${position?.line}:${position?.column} ${summary}`),
    ).toEqual(says)
    expect(mistakes(of('')).length).toBeGreaterThan(0)
  })

  test.each([
    ['removed: [{address: Vcp/A, destroy: false}]', '3:21 no kind is named Vcp', 'did you mean Vpc/A?'],
    ['removed: [{address: Vcp/A*}]', '3:21 no kind is named Vcp', 'did you mean Vpc/A*?'],
    ['moved: [{from: Vcp/A, to: Vcp/main}]', '3:16 no kind is named Vcp', 'did you mean Vpc/A?'],
    ['moved: [{from: Vpc/A, to: Vcp/main}]', '3:27 no kind is named Vcp', 'did you mean Vpc/main?'],
    ['removed: [{address: Node/A}]', '3:21 Node is looked up, not declared', undefined],
  ])('%s names no kind that is recorded', (block, says, hint) => {
    const files = project(`${block}\n`)
    expect(mistakes(files)).toEqual([`unknown_kind ${says}`])
    expect(load(files).diagnostics[0]?.hint).toEqual(hint ?? expect.stringMatching(/^kinds: .*\bK3sNode\b/))
  })

  test('outputs', () => {
    const text =
      'outputs:\n  id: {value: "${Vpc[\'main\'].id}"}\n  secret: {value: "${sensitive(\'x\')}"}\n  both: {value: [1, "${Vpc[\'main\'].range}"], sensitive: true}\n'
    const { outputs } = loaded(project(text))
    expect(outputs.map((one) => [one.name, one.references, one.source])).toEqual([
      ['id', ['Vpc/main'], "${Vpc['main'].id}"],
      ['secret', [], "${sensitive('x')}"],
      ['both', ['Vpc/main'], '[1,"${Vpc[\'main\'].range}"]'],
    ])
    expect(outputs.map((one) => one.resolve(scopeOf({ 'Vpc/main.range': 'r' })))).toEqual([
      { unknown: true, sensitive: false },
      { value: 'x', sensitive: true },
      { value: [1, 'r'], sensitive: true },
    ])
    expect(mistakes(project('outputs: {x: {value: "${Vpc[\'main\'].idd}"}}\n'))).toEqual(["unknown_field 3:37 Vpc has no attribute 'idd'"])
    for (const name of ['id', 'description', 'vlan'])
      expect(mistakes(project(`outputs: {x: {value: "\${Vpc['main'].${name}.x}"}}\n`))).toEqual([
        `unknown_field 3:37 Vpc.${name} is no map, and has no member 'x'`,
      ])
    expect(mistakes(project('outputs: {x: {value: "${[1][2]}"}}\n'))).toEqual(['expression 3:29 the index is outside of the list'])
  })

  test.each([
    ["${vars.l.filter(x, x == 'zz')}", { value: [], sensitive: true }],
    ["${vars.l.filter(x, x == 'zz').size() == 0}", { value: true, sensitive: true }],
    ["${sensitive({'a': Vpc['main'].id})}", { unknown: true, sensitive: true }],
    ["${vars.l[0]} ${Vpc['main'].id}", { unknown: true, sensitive: true }],
    ['${sensitive(null)}', { value: null, sensitive: true }],
  ])('an output is as sensitive as what it is computed from: %s', (value, expected) => {
    const declares = 'variables: {l: {type: list, sensitive: true, default: [a]}}\n'
    const { outputs } = loaded(project(`${declares}outputs: {x: {value: "${value}"}}\n`))
    expect(outputs[0]?.resolve(scopeOf())).toEqual(expected)
  })
})
