// The command line itself: usage, help, credentials, and what is refused before anything happens.
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandTable } from '../../src/cli/command-table.ts'
import { explainedWords } from '../../src/cli/commands/explain.ts'
import { topicNames } from '../../src/cli/documents/topics/all-topics.ts'
import { newFolder, runCli } from './run-cli.ts'

const folder = newFolder()

describe('usage', () => {
  test.each([
    [['plna'], 'did you mean iac plan?'],
    [['state', 'lsit'], 'did you mean iac state list?'],
    [['state'], 'known: list'],
    [['up'], 'hint: type `iac apply`'],
    [['auth'], 'hint: type `iac login`, or add --sandbox to work without an account'],
    [['-chdir=nowhere', 'plan'], 'nowhere'],
    [['plan', '-lock-timeout=1e999'], 'must be a duration'],
    [['plan', '--josn'], 'did you mean --json?'],
    [['plan', '--parallelism', '-1'], '--parallelism must be an integer from 1 to 1000'],
    [['plan', '--parallelism', '1e9'], '--parallelism must be an integer'],
    [['plan', '--parallelism', '0'], '--parallelism must be an integer'],
    [['plan', '--lock-timeout', '1e999'], 'must be a duration'],
    [['plan', '--target', 'nothing at all'], 'is no address'],
    [['plan', '--format', 'xml'], 'is not known'],
    [['plan', '--refresh-only', '--destroy'], 'excludes'],
    [['plan', '--dir', '-rf'], 'is no folder'],
    [['plan', '--dir', ''], '--dir "" names no file or folder'],
    [['destroy', '--auto-approve', '-f', ''], '--file "" names no file or folder'],
    [['destroy', '--auto-approve', '-f', 'main.yaml', '--file='], '--file "" names no file or folder'],
    [['plan', '--var-file', ''], '--var-file "" names no file or folder'],
    [['plan', '--out', ''], '--out "" names no file or folder'],
    [['plan', '--policy', ''], '--policy "" names no file or folder'],
    [['plan', '--sandbox', '--seed', ''], '--seed "" names no file or folder'],
    [['export', '--out', ''], '--out "" names no file or folder'],
    [['plan', 'extra'], 'argument 1 is one too many'],
    [['plan', 'extra.yaml'], '"extra.yaml" is one argument too many'],
    [['state', 'mv', 'Vpc/a', 'Vpc/b', 'Vpc/c'], 'argument 3 is one too many'],
    [['plan', '--josn=true'], 'did you mean --json?'],
    [['plan', '--verbose=true'], 'error: --verbose takes no value'],
    [['-nothing-at-all'], "error: unknown option '-n'"],
    [['api', 'GET', '/v1/workspaces', '--input', 'body.json'], '--input is the body of a call'],
    [['completion', 'tcsh'], 'must be one of bash, zsh, fish'],
    [['state', 'show'], 'missing required argument'],
    [['api', 'FETCH', '/v1/vpcs'], 'is no method'],
    [['api', 'GET', 'https://elsewhere.test/v1/vpcs'], 'is no path of the API'],
    [['api', 'GET', '/v1/../secrets'], 'is no path of the API'],
    [['api', 'GET', 'vpcs?token=canary'], '"vpcs" is no path of the API'],
  ])('%j is refused', async (words, says) => {
    const ran = await runCli(words, { folder })
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).toContain('error: ')
    expect(ran.stderr).toContain(says)
  })

  test.each([
    [['plan', '--parallelism', '0'], 'iac plan --help'],
    [['plan', '--format', 'xml'], 'iac plan --help'],
    [['plan', '--refresh-only', '--destroy'], 'iac plan --help'],
    [['state', 'show'], 'iac state show --help'],
    [['api', 'FETCH', '/v1/vpcs'], 'iac api --help'],
    [['--nothing-at-all'], 'iac --help'],
    // Not to the opposite of what was meant.
    [['plan', '--no-refresh'], 'iac plan --help'],
    [['plan', '--color'], 'iac plan --help'],
  ])('%j points to the help of its command', async (words, says) => {
    expect((await runCli(words, { folder })).stderr).toContain(`hint: see \`${says}\``)
  })

  test.each([
    ['plan', '--vars=desc=canary', "unknown option '--vars'\n  hint: did you mean --var"],
    ['plan', "--vars=desc='canary'\n(canary)", "unknown option '--vars'\n  hint: did you mean --var"],
    ['plan', '--Var=desc=canary', "unknown option '--Var'\n  hint: did you mean --var"],
    ['plan', '-lock=false', "unknown option '--lock'\n  hint: whoever changes a state always locks it: --lock-timeout says how long to wait for that\n"],
    ['apply', '--lock=false', "unknown option '--lock'\n  hint: whoever changes a state"],
    ['plan', '-vdesc=canary', "unknown option '-v'\n"],
    ['plan', '-fmain.yaml', '-canary', "unknown option '-c'\n"],
    ['plan', '--json=canary', '--json takes no value\n'],
    ['plan', '--help=canary', '--help takes no value\n'],
    ['plan', '--var', 'desc', 'canary', 'argument 1 is one too many\n'],
    ['account', 'register', '--password=canary', "unknown option '--password'\n"],
    ['--code=canary', "unknown option '--code'\n"],
  ])('%j is refused without its value', async (...line) => {
    const { code, stdout, stderr } = await runCli(line.slice(0, -1), { folder })
    expect([code, stderr]).toEqual([3, expect.stringContaining(`error: ${line.at(-1)}`)])
    expect(stdout + stderr).not.toContain('canary')
  })

  test('flags with one dash are read as what they are, and this is said', async () => {
    const ran = await runCli(['schema', 'project', '-json', '-no-color'], { folder })
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{/) })
    expect(ran.stderr).toContain('note: -no-color is read as --no-color: long flags have two dashes here\n')
  })

  test('help lists the global flags, and each command those that mean something to it', async () => {
    const overview = (await runCli(['--help'], { folder })).stdout
    expect(overview.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(overview).toMatch(/\nGlobal options:\n {2}--dir <PATH> .*\n {2}-f, --file <PATH> /)
    const plan = (await runCli(['plan', '--help'], { folder })).stdout
    expect(plan).toMatch(/\nOptions:\n[^]*\nGlobal options:\n[^]*--lock-timeout/)
    expect(plan).toMatch(/--refresh\b(?!-only)/)
    for (const words of [['sandbox'], ['sandbox', 'env']]) {
      const { stdout } = await runCli([...words, '--help'], { folder })
      expect(stdout).toMatch(/\nGlobal options:\n {2}--dir <PATH> /)
      expect(stdout).not.toMatch(/--lock-timeout|--parallelism|--file|--sandbox/)
    }
    expect((await runCli(['sandbox', 'env', '--parallelism', '2'], { folder })).stderr).toContain('no sandbox runs')
  })

  test.each([
    ['version', /--json/, /--dir|--file|--env|--sandbox|--no-input/],
    ['init', /--dir/, /--file|--env|--sandbox|--parallelism/],
    ['validate', /--file[^]*--env[^]*--var-file/, /--parallelism|--lock-timeout|--no-input/],
    ['state list', /--env[^]*--sandbox/, /--file|--var|--parallelism|--lock-timeout|--no-input/],
    ['state mv', /--env[^]*--lock-timeout[^]*--no-input/, /--file|--var|--parallelism/],
    ['api', /--sandbox[^]*--parallelism/, /--file|--env|--var|--lock-timeout/],
  ])('help of %s shows what means something to it, and takes the rest', async (name, shows, hides) => {
    const { stdout } = await runCli([...name.split(' '), '--help'], { folder })
    const globals = stdout.slice(stdout.indexOf('Global options:'), stdout.indexOf('Examples:'))
    expect(globals).toMatch(shows)
    expect(globals).not.toMatch(hides)
  })

  test.each([
    [['plan', '--out', 'nowhere/today.plan']],
    [['plan', '--format', 'json=nowhere/plan.json']],
    [['drift', '--format', 'json=nowhere/drift.json']],
    [['plan', '--out', '.']],
  ])('%j is refused before any call, since nothing can be written there', async (words) => {
    const here = newFolder()
    const ran = await runCli(words, { folder: here, environment: { IAC_BASE_URL: 'https://127.0.0.1:6000' }, token: 'abc' })
    expect(ran.code).toBe(3)
    expect(ran.stderr).toMatch(/cannot be written: (there is no folder nowhere|it is no file)/)
  })

  test.each([
    ['{}', 'It is JSON, but no plan.'],
    ['{', 'It is not JSON.'],
    ['{"format":"iac-plan/v9"}', 'It is of the format iac-plan/v9, this iac knows iac-plan/v1.'],
    ['{"format":"iac-plan/v1","hash":7}', 'It is not what a plan holds at '],
  ])('the plan file %s is damaged, in plain words', async (text, says) => {
    const here = newFolder()
    writeFileSync(join(here, 'bad.plan'), text)
    const ran = await runCli(['show', 'bad.plan'], { folder: here })
    expect(ran.code).toBe(9)
    expect(ran.stderr).toContain(says)
    expect(ran.stderr).toContain('code: plan_damaged')
  })

  test('global flags may stand before the command, and between its words', async () => {
    expect(JSON.parse((await runCli(['--json', '--dir', folder, 'version'], { folder })).stdout)).toEqual({ version: '0.0.0-test' })
    expect(await runCli(['state', '--json', '--dir', folder, 'list'], { folder })).toMatchObject({ code: 0, stdout: '[]\n' })
    expect((await runCli(['sandbox', '--data', 'env', '--port', 'none'], { folder })).stderr).toContain('--port must be an integer')
  })

  test.each([[['state', '--help']], [['state', '-h']], [['help', 'state']], [['--json', 'state', '--help']]])('%j lists what stands below', async (words) => {
    const ran = await runCli(words, { folder })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('Usage: iac state COMMAND [flags]')
    for (const name of Object.keys(commandTable).filter((one) => one.startsWith('state '))) expect(ran.stdout).toContain(`  ${name} `)
    expect(ran.stdout).toContain(commandTable['state push']?.summary)
    expect(ran.stdout).not.toContain('validate')
  })

  test.each(Object.keys(commandTable))('%s has help with an example, and the summary of the table', async (name) => {
    const ran = await runCli([...name.split(' '), '--help'], { folder })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain(`Usage: iac ${name}`)
    expect(ran.stdout).toContain('Examples:')
    expect((await commandTable[name]?.load())?.summary).toBe(commandTable[name]?.summary)
  })

  test('certificates are always checked', async () => {
    const ran = await runCli(['validate'], { folder, environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('NODE_EXTRA_CA_CERTS')
  })
})

describe('who calls', () => {
  const get = (environment: Readonly<Record<string, string>>, token?: string, home = newFolder()) =>
    runCli(['get', 'plans'], { folder: home, environment, ...(token === undefined ? {} : { token }) })

  test('is an error that names the ways there are where nobody says it', async () => {
    const ran = await get({})
    expect(ran.code).toBe(4)
    expect(ran.stderr).toContain('set IAC_BASE_URL and IAC_TOKEN (or IAC_TOKEN_FILE), or use --sandbox')
    expect(ran.stderr).not.toContain('profile')
  })
  test.each(['http://example.com', 'https://user:secret@example.com', 'ftp://example.com', 'not a url'])('is not asked at %s', async (address) => {
    const ran = await get({ IAC_BASE_URL: address }, 'abc')
    expect(ran.code).toBe(3)
    expect(ran.stderr).not.toContain('secret')
  })
  test('is not known by a malformed token, which is not printed', async () => {
    const ran = await get({ IAC_BASE_URL: 'https://127.0.0.1:9' }, 'top secret')
    expect(ran.code).toBe(4)
    expect(ran.stderr).not.toContain('top secret')
  })
  test.each([['plan'], ['drift']])('is told at once of an address that no try reaches: iac %s', async (command) => {
    const here = newFolder()
    await runCli(['init'], { folder: here })
    const { port, close } = await plainServer()
    const environment = { IAC_BASE_URL: `https://127.0.0.1:${port}` }
    const ran = await runCli([command], { folder: here, environment, token: 'abc' })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/127\.0\.0\.1:\d+: what listens there speaks no TLS \((?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)\)\n {2}hint: check IAC_BASE_URL/)
    const json = await runCli([command, '--json'], { folder: here, environment, token: 'abc' })
    expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, error_count: 1, diagnostics: [{ code: 'unreachable', address: null, range: null }] })
    await close()
  })
  test('is told which proxy the way ended at, without its password', async () => {
    const { port, close } = await answering('HTTP/1.1 200 OK\r\n\r\n')
    const ran = await get({ IAC_BASE_URL: 'https://api.example.com', HTTPS_PROXY: `http://user:CANARY@127.0.0.1:${port}` }, 'abc')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(`api.example.com, by way of the proxy 127.0.0.1:${port}: what listens there speaks no TLS`)
    expect(ran.stderr).toContain('hint: check HTTPS_PROXY, IAC_BASE_URL')
    expect(ran.stderr).not.toContain('CANARY')
    await close()
  })
  test('is told of a proxy that is no http or https URL, where one would be used', async () => {
    const { port, close } = await answering('HTTP/1.1 400 Bad Request\r\nx-message: not today\r\ncontent-length: 0\r\n\r\n')
    const HTTPS_PROXY = 'socks5://user:CANARY@127.0.0.1:9'
    const refused = await get({ IAC_BASE_URL: 'https://api.example.com', HTTPS_PROXY }, 'abc')
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('HTTPS_PROXY is not an http or https URL')])
    expect(refused.stderr).not.toContain('CANARY')
    expect((await get({ IAC_BASE_URL: `http://127.0.0.1:${port}`, HTTPS_PROXY }, 'abc')).stderr).toContain('not today')
    await close()
  })
  test('is read from a token file and a profile, which must be private', async () => {
    const home = newFolder()
    writeFileSync(join(home, 'token'), 'a b\n')
    expect((await get({ IAC_BASE_URL: 'https://127.0.0.1:9', IAC_TOKEN_FILE: join(home, 'token') }, undefined, home)).stderr).toContain('white space')
    mkdirSync(join(home, 'iac'))
    const path = join(home, 'iac/profiles.json')
    writeFileSync(path, JSON.stringify({ format: 'iac-profiles/v1', profiles: { work: { base_url: 'https://127.0.0.1:9', token: 'a b' } } }), { mode: 0o644 })
    chmodSync(path, 0o644)
    expect((await get({ XDG_CONFIG_HOME: home }, undefined, home)).stderr).toContain('chmod 600')
    chmodSync(path, 0o600)
    expect((await get({ XDG_CONFIG_HOME: home, IAC_PROFILE: 'work' }, undefined, home)).stderr).toContain('white space')
    expect((await get({ XDG_CONFIG_HOME: home, IAC_PROFILE: 'play' }, undefined, home)).stderr).toContain('No stored profile is called play')
  })
  test('is not read from a file that somebody else can have written', async () => {
    const home = newFolder()
    mkdirSync(join(home, 'iac'))
    const places = { IAC_TOKEN_FILE: join(home, 'token'), profile: join(home, 'iac/profiles.json') }
    for (const path of Object.values(places)) writeFileSync(path, '{}')
    const environment = { IAC_BASE_URL: 'https://127.0.0.1:9', IAC_TOKEN_FILE: places.IAC_TOKEN_FILE }
    const refusals = async () => [await get(environment, undefined, home), await get({ XDG_CONFIG_HOME: home }, undefined, home)]
    for (const path of Object.values(places)) chmodSync(path, 0o622)
    for (const { code, stderr } of await refusals()) expect([code, stderr]).toEqual([4, expect.stringContaining('can be written by others')])
    if (process.geteuid?.() !== 0) return console.error('SKIPPED: files of other users, which only root can make')
    for (const path of Object.values(places)) {
      chmodSync(path, 0o600)
      chownSync(path, 4242, 4242)
    }
    for (const { code, stderr } of await refusals()) expect([code, stderr]).toEqual([4, expect.stringContaining('belongs to another user')])
  })
})

describe('documents', () => {
  test('explain knows kinds, fields and codes', async () => {
    expect((await runCli(['explain', 'instance'], { folder })).stdout).toContain('kind: Instance')
    expect((await runCli(['explain', 'Instance.storage'], { folder })).stdout).toContain('storage[].size_bytes')
    expect((await runCli(['explain', 'Instance.image'], { folder })).stdout).toMatch(/image +<id>/)
    expect((await runCli(['explain', 'guard_protected'], { folder })).stdout).toContain('exit code 5')
    expect((await runCli(['explain', 'Instanse'], { folder })).stderr).toContain('did you mean Instance?')
    expect((await runCli(['explain', 'Instance.lifecycle.prevent_destroy'], { folder })).stderr).toContain('see `iac explain lifecycle`')
    expect((await runCli(['explain', 'Vpc.rnge'], { folder })).stderr).toContain('did you mean Vpc.range?')
  })
  test.each([
    ['for_each', /^for_each\n\n  `metadata\.for_each` makes one resource per entry[^]*\nExample: [^]*\$ iac plan --sandbox\n/],
    ['lifecycle', /\n  metadata\.lifecycle\.prevent_destroy <boolean>\n/],
    ['removed', /^moved and removed\n/],
    ['Environments', /\n  environments\.NAME\.variables <map>\n/],
    ['unknown', /\n  'net-' \+ Vpc\['main'\]\.id  →  \(known after apply\)\n/],
    ['functions', /\n  cidr_subnet\(range: string, newbits: int, number: int\): string\n[^]*\n  x\.trim\(\): string\n/],
    ['cidr_subnet', /^cidr_subnet\(range[^]*  cidr_subnet\('10\.0\.0\.0\/16', 8, 3\)  →  "10\.0\.3\.0\/24"\n/],
    ['x.split(...)', /^x\.split\(separator/],
    ['exists', /\(error, exit code[^]*iac explain x\.exists\n/],
    ['x.exists', /^x\.exists\(variable, test\): bool\n/],
    ['IAC_STATE_DIR', /^IAC_STATE_DIR \(variable of the environment\)\n\n  A folder for states/],
    ['IAC_VAR_region', /^IAC_VAR_name /],
    ['metadata.import', /^import\n/],
    ['metadata.import.id', /^import\n/],
    ['metadata.lifecycle', /^lifecycle\n/],
    ['metadata.depends_on', /^depends_on\n/],
    ['metadata.for_each', /^for_each\n/],
    ['metadata.timeouts.create', /^timeouts\n/],
    ['metadata.workspace', /^Documents\n/],
    ['moved.from', /^moved and removed\n/],
    ['json', /^json\(/],
  ])('explain knows %s', async (word, text) => {
    expect(await runCli(['explain', word], { folder })).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(text) })
  })
  test.each([
    ['lifecyle', 'lifecycle'],
    ['for-each', 'for_each'],
    ['cidr_subent', 'cidr_subnet'],
    ['IAC_TOKN', 'IAC_TOKEN'],
  ])('explain %s is answered with the word that is meant', async (word, near) => {
    expect(await runCli(['explain', word], { folder })).toMatchObject({ code: 3, stderr: expect.stringContaining(`did you mean ${near}?`) })
  })
  test('explain lists kinds and topics without a word', async () => {
    expect((await runCli(['explain'], { folder })).stdout.replaceAll(/\n +/g, ' ')).toContain(`\nTopics: ${topicNames.join(', ')}\n`)
  })
  test.each(['', ...explainedWords])('explain %s fits a terminal of 80 columns', async (word) => {
    const { stdout } = await runCli(['explain', ...(word === '' ? [] : [word])], { folder })
    const lines = stdout.replace(/\nExample: [^]*/, '').split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.length).toBeGreaterThan(3)
  })
  test('schema prints draft 7', async () => {
    for (const word of [[], ['Vpc'], ['project'], ['plan'], ['state'], ['stream']]) {
      expect(JSON.parse((await runCli(['schema', ...word], { folder })).stdout)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' })
    }
  })
  test('schema tells a kind from the file that is called like it', async () => {
    const titled = async (word: string) => JSON.parse((await runCli(['schema', word], { folder })).stdout).title
    expect(await titled('plan')).not.toBe(await titled('Plan'))
    expect(await titled('vpc')).toBe(await titled('Vpc'))
  })
  test('validate counts what is wrong, for machines too', async () => {
    const here = newFolder()
    await runCli(['init'], { folder: here })
    writeFileSync(
      join(here, 'infra/bad.yaml'),
      'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: two }\nspec: { name: second, description: d, rnge: 10.1.0.0/24, range: 10.1.0.0/24 }\n',
    )
    const ran = await runCli(['validate', '--json'], { folder: here })
    expect(ran.code).toBe(3)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      valid: false,
      error_count: 1,
      diagnostics: [{ code: 'unknown_field', hint: 'did you mean "range"?', range: { filename: 'infra/bad.yaml', start: { line: 4 } } }],
    })
    expect((await runCli(['validate'], { folder: here })).stderr).toContain('infra/bad.yaml:4:')
  })
  test.each([
    ['nowhere', 'nothing is there', '`iac init nowhere` makes it, with a project in it\n'],
    ['shpo/infra', 'nothing is there', 'did you mean --dir shop/infra? Else `iac init shpo/infra` makes it'],
    ['shop/infar/web', 'nothing is there', 'did you mean --dir shop/infra? Else'],
    ['shop/x y', 'nothing is there', "`iac init 'shop/x y'` makes it, with a project in it; the nearest folder that is there is --dir shop\n"],
    ['shop/file', 'it is a file', 'the folder that it lies in is --dir shop\n'],
    ['shop/file/x', 'shop/file is a file', 'the folder that it lies in is --dir shop\n'],
    ['shop/link', 'it is a link that leads nowhere', 'the folder that it lies in is --dir shop\n'],
  ])('a --dir that is no folder is told with what is there: %s', async (dir, why, hint) => {
    const here = newFolder()
    mkdirSync(join(here, 'shop/infra'), { recursive: true })
    writeFileSync(join(here, 'shop/file'), '')
    symlinkSync('nowhere', join(here, 'shop/link'))
    const ran = await runCli(['plan', '--dir', dir], { folder: here })
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(`error: --dir ${dir} is no folder: ${why}\n  hint: ${hint}`) })
    const absolute = await runCli(['plan', '--dir', join(here, dir)], { folder: here })
    expect(absolute.stderr).toContain(`hint: ${hint.replace(/(--dir |iac init '?)/g, `$1${here}/`)}`)
  })
  test('init overwrites nothing', async () => {
    const here = newFolder()
    writeFileSync(join(here, 'iac.yaml'), 'mine')
    await runCli(['init'], { folder: here })
    expect((await runCli(['init'], { folder: here })).stdout).toContain('nothing was written')
    const { readFileSync } = await import('node:fs')
    expect(readFileSync(join(here, 'iac.yaml'), 'utf8')).toBe('mine')
  })
  test('init names the folder to go to', async () => {
    const here = newFolder()
    expect((await runCli(['init'], { folder: here })).stdout).toMatch(/\nNext: iac plan --sandbox\n$/)
    expect((await runCli(['init', 'shop'], { folder: here })).stdout).toMatch(/\nNext: cd shop && iac plan --sandbox\n$/)
  })
})

/** Something that listens and speaks no TLS. */
/** Answers whatever is written to it. */
async function answering(text: string): Promise<{ readonly port: number; close(): Promise<void> }> {
  return await serverOf((socket) => void socket.on('error', () => undefined).on('data', () => socket.write(text)))
}

async function plainServer(): Promise<{ readonly port: number; close(): Promise<void> }> {
  return await serverOf(
    (socket) =>
      void socket
        .on('error', () => undefined)
        .resume()
        .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  )
}

async function serverOf(handle: (socket: Socket) => void): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(handle)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, close: () => new Promise((closed) => void server.close(() => closed())) }
}
