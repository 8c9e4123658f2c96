// `iac console`: expressions with the project's names, from standard input and at a prompt.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { promptLines } from '../../src/cli/surroundings/prompt.ts'
import type { Prompting } from '../../src/cli/surroundings/prompt.ts'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli, surroundingsFor } from './run-cli.ts'

const settings =
  'apiVersion: iac/v1\nkind: Project\nname: p\nvariables:\n  zone: { type: string, default: fra-1 }\n  password: { type: string, sensitive: true, default: battery-staple }\n'
const network = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main-net, description: "", range: 10.1.0.0/24 }\n'

function projectOf(): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), settings)
  writeFileSync(join(folder, 'net.yaml'), network)
  return folder
}

test('lines of standard input are answered one by one', async () => {
  const lines = [
    '1 + 2',
    "vars.zone + '!'",
    "Vpc['main'].range",
    "Vpc['main'].id",
    'vars.password',
    "[vars.password, 'a']",
    '',
    "cidr_host('10.0.0.0/8', 1)",
    '{"a": null}',
  ]
  expect(await runCli(['console'], { folder: projectOf(), stdin: `${lines.join('\n')}\n` })).toEqual({
    code: 0,
    stdout: '3\n"fra-1!"\n"10.1.0.0/24"\n(known after apply)\n(sensitive value)\n[(sensitive value), "a"]\n"10.0.0.1"\n{ a = null }\n',
    stderr: '',
  })
})

test.each(['exit', ' quit '])('%j ends it, and what stands behind is not looked at', async (word) => {
  expect(await runCli(['console'], { folder: projectOf(), stdin: `1 + 1\n${word}\nnothing\n` })).toEqual({ code: 0, stdout: '2\n', stderr: '' })
  expect((await runCli(['console'], { folder: projectOf(), stdin: `nothing\n${word}\n` })).code).toBe(3)
})

test('help tells what can be written, which names are in scope, and how it is left, beside JSON on standard error', async () => {
  const folder = projectOf()
  writeFileSync(join(folder, 'more.yaml'), manifest('Vpc', 'each', 'description: d\nrange: 10.2.0.0/24\nname: net-${each.key}', 'for_each: [a, b]'))
  const { code, stdout, stderr } = await runCli(['console'], { folder, stdin: 'help\n1\n' })
  expect([code, stdout.endsWith('\n1\n'), stderr]).toEqual([0, true, ''])
  for (const part of ['vars.password, vars.zone', "Vpc['each'][KEY], Vpc['main']", 'iac explain functions', 'exit, quit or ^D']) expect(stdout).toContain(part)
  expect(await runCli(['console', '--json'], { folder, stdin: 'help\n1\n' })).toEqual({ code: 0, stdout: '1\n', stderr: stdout.replace(/1\n$/, '') })
})

test.each(['exit', 'quit', 'help'])('%s names nothing in an expression, whatever is declared', async (word) => {
  const folder = projectOf()
  writeFileSync(join(folder, 'iac.yaml'), `${settings}  ${word}: { type: string, default: x }\n`)
  writeFileSync(join(folder, 'more.yaml'), manifest('Vpc', word, 'description: d\nrange: 10.2.0.0/24'))
  const ran = await runCli(['console'], { folder, stdin: `(${word})\nvars.${word}\n` })
  expect(ran).toMatchObject({ code: 3, stdout: '"x"\n', stderr: expect.stringContaining(`no name '${word}' is in scope`) })
})

test('what was applied is known, and what is looked up is asked for', async () => {
  const folder = projectOf()
  const run = (words: readonly string[], stdin?: string) => runCli([...words, '--sandbox'], { folder, ...(stdin === undefined ? {} : { stdin }) })
  expect((await run(['apply', '--auto-approve'])).code).toBe(0)
  const [, memory, missing] = (
    await run(['console', '--json'], "Vpc['main'].id\nlookup('Plan', 'ryzen-4').cpu\nlookup('Vpc', 'main-net').range\n")
  ).stdout.split('\n')
  expect([memory, missing]).toEqual(['4', '"10.1.0.0/24"'])
  const ran = await run(['console'], "Vpc['main'].id\nlookup('Plan', 'ryzen-5').cpu\n")
  expect(ran).toMatchObject({ code: 3, stdout: expect.stringMatching(/^"\d{19}"\n$/), stderr: expect.stringContaining('no Plan is called "ryzen-5"') })
})

test('addresses are found as such, those below a dedicated server, too', async () => {
  const box = manifest('Dedibox', 'metal-1', '{}')
  const addresses = [
    manifest('FloatingIp', 'mail', 'type: IPv4\nregion: fra-1\nddos: false'),
    manifest('DediboxIp', 'more', 'dedibox: metal-1\naddress: 203.0.113.7\ntype: IPv4'),
  ]
  const { run } = await operatingBench([box, ...addresses].join(''))
  for (const [kind, plural] of [
    ['FloatingIp', 'floatingips'],
    ['DediboxIp', 'dediboxips'],
  ] as const) {
    const listed = await run(['get', plural, '--json'])
    const [{ address }] = JSON.parse(listed.stdout)
    const shown: { readonly id: string; readonly address: string } = JSON.parse((await run(['get', kind, address, '--json'])).stdout)
    expect(shown.address).toBe(address)
    const found = await run(['console', '--json'], { stdin: `lookup('${kind}', '${address}').id\n` })
    expect(found).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`"(\\d+/)?${shown.id}"\n`)) })
  }
})

test('a lookup that is refused is a mistake of its line alone', async () => {
  const { run } = await operatingBench('')
  const ran = await run(['console'], { stdin: "1 + 1\nlookup('Price', 'x').unit_rate\n2 + 2\n" })
  expect(ran).toMatchObject({
    code: 3,
    stdout: '2\n4\n',
    stderr: expect.stringMatching(/^lookup\('Price', 'x'\)\.unit_rate\n\^\nerror: the service answered 403/),
  })
})

test.each([
  ['1 +', '1 +\n   ^\nerror: '],
  ["Vpc['mian'].id", "Vpc['mian'].id\n    ^\nerror: "],
  ['vars.zoen', "hint: did you mean 'zone'?"],
  ["lookup('Quota', 'max_instances').limit", 'hint: limits are no objects: `iac quota` shows them'],
  ["lookup('Image', 'debian').id", 'hint: the API lists no images'],
  ["lookup('plans', 'x')", 'hint: did you mean Plan?'],
  ["lookup('floatingips', 'x').id", 'hint: did you mean FloatingIp?'],
  ["lookup('Region', 'fra-1').id", 'hint: the API lists no regions'],
  ['1 + vars.zone', 'does not fit int and string'],
])('%j is a mistake that is shown where it stands', async (line, says) => {
  expect(await runCli(['console'], { folder: projectOf(), stdin: `${line}\n` })).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(says) })
})

test('a value that is wider than the terminal stands on several lines', async () => {
  const ran = await runCli(['console'], { folder: projectOf(), stdin: "[vars.zone, 'a longer text']\n", terminal: { columns: 20, rows: 24 } })
  expect(ran.stdout).toMatch(/^\[\n {2}"[^"]+",\n {2}"a longer text",\n\]\n$/)
})

test('as JSON, what is not known and what is sensitive is marked', async () => {
  const ran = await runCli(['console', '--json'], { folder: projectOf(), stdin: "Vpc['main'].id\nvars.password\n9007199254740993\n" })
  expect(ran.stdout).toBe('{"$unknown":true}\n{"$sensitive":true}\n9007199254740993\n')
})

test('at a prompt names are completed, and what is typed is kept for its user alone, secrets left out', async () => {
  const folder = projectOf()
  mkdirSync(join(folder, 'home'), { mode: 0o700 })
  const printed = { stdout: '', stderr: '' }
  const surroundings = surroundingsFor({ folder }, printed)
  const offered: unknown[] = []
  const typed = (lines: readonly string[]) =>
    runCommand(['console'], {
      ...surroundings,
      stdin: {
        ...surroundings.stdin,
        isTerminal: true,
        async *prompt({ complete, history }) {
          offered.push(await complete('vars.z'), await complete("Vpc['m"), await complete("Vpc['main'].ra"), history)
          yield* lines
        },
      },
    })
  expect(await typed(['1 + 1', "sensitive('hunter2')", 'vars.nothing', 'exit', '2'])).toBe(0)
  expect(offered.slice(0, 3)).toEqual([
    [['zone'], 'z'],
    [["main']"], 'm'],
    [['range'], 'ra'],
  ])
  expect(printed.stdout).toBe('2\n(sensitive value)\n')
  const file = join(folder, 'home/.cache/iac/console/history')
  expect(readFileSync(file, 'utf8')).toBe('vars.nothing\n1 + 1\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await typed([])
  expect(offered.at(-1)).toEqual(['vars.nothing', '1 + 1'])
})

test('at a prompt the kinds and names of lookups are completed, and nothing where nobody is signed in', async () => {
  const offeredBy = async (words: readonly string[], ...lines: readonly string[]): Promise<unknown> => {
    const printed = { stdout: '', stderr: '' }
    const surroundings = surroundingsFor({ folder: projectOf() }, printed)
    const offered: unknown[] = []
    const prompt = async function* ({ complete }: Prompting) {
      for (const line of lines) offered.push((await complete(line))[0])
      yield 'exit'
    }
    expect(await runCommand(['console', ...words], { ...surroundings, stdin: { ...surroundings.stdin, isTerminal: true, prompt } })).toBe(0)
    expect(printed).toEqual({ stdout: '', stderr: '' })
    return offered
  }
  expect(await offeredBy(['--sandbox'], "lookup('Pla", "1 + lookup('Plan', 'ryzen-", "lookup('Plan', 'ryzen-4').mem", "lookup('Nothing', '")).toEqual([
    ["Plan', '"],
    ["ryzen-2'", "ryzen-4'", "ryzen-8'", "ryzen-legacy'"],
    ['memory'],
    [],
  ])
  expect(await offeredBy([], "lookup('Plan', '")).toEqual([[]])
})

test('^C drops what was typed, ^C on an empty line and ^D end the prompt', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const lines: string[] = []
  input.write('half\u0003one\rtwo\r\u0003')
  for await (const line of promptLines(input, output, { prompt: '> ', history: [], complete: async () => [[], ''] })) lines.push(line)
  const other = new PassThrough()
  other.write('three\r\u0004')
  for await (const line of promptLines(other, output, { prompt: '> ', history: [], complete: async () => [[], ''] })) lines.push(line)
  expect(lines).toEqual(['one', 'two', 'three'])
})
