// A state that a newer iac wrote, with what this one has no place for: it is no damage, and nothing is put in its place.
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canonicalJson, isList, isObject, parseJson, stringifyJson } from '../../src/base/json.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { decodeJournal, encodeEntries } from '../../src/state/journal-file.ts'
import type { Entry } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'
import { newFolder, runCli } from './run-cli.ts'

/** A project whose state has two generations, of which the second alone holds the server. */
async function applied() {
  const folder = newFolder()
  await runCli(['init'], { folder })
  const run = (...words: readonly string[]) => runCli([...words, '--sandbox'], { folder })
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  const path = join(folder, '.iac/sandbox/state.json')
  return { path, journal: `${path}.journal`, run }
}

interface Places {
  readonly path: string
  readonly journal: string
}

/** The document as the newer iac writes it: with something of its own in each resource, and a checksum that fits. */
function rewrite(path: string, own: JsonObject): void {
  const document = parseJson(readFileSync(path, 'utf8'))
  const { checksum: _, resources = [], ...rest }: JsonObject = isObject(document) ? document : {}
  const newer = isList(resources) ? resources.map((one) => (isObject(one) ? { ...one, ...own } : one)) : []
  const members = { ...rest, tool_version: '9.0.0', resources: newer }
  writeFileSync(path, stringifyJson({ ...members, checksum: `sha256:${createHash('sha256').update(canonicalJson(members)).digest('hex')}` }))
}

/** A line that a killed run of the newer iac left. */
function leaveLine(journal: string, json: string): void {
  const { chain } = decodeJournal(readFileSync(journal), journal, inClear)
  const entries: Entry[] = JSON.parse(json)
  appendFileSync(journal, encodeEntries(chain, entries, inClear).bytes)
}

test.each([
  ['document with a member', 'iac 9.0.0', ({ path }: Places) => rewrite(path, { lease: 'until noon' })],
  ['document with a type', 'iac 9.0.0', ({ path }: Places) => rewrite(path, { protected: null })],
  ['journal with an entry', 'Another iac', ({ journal }: Places) => leaveLine(journal, '[{ "t": "suspended", "seq": 1, "until": "noon" }]')],
  ['journal with a type', 'Another iac', ({ journal }: Places) => leaveLine(journal, '[{ "t": "done", "seq": "1" }]')],
])('a %s that holds what this iac does not know is refused and left as it is, and no older generation takes its place', async (_, writer, write) => {
  const { run, ...places } = await applied()
  write(places)
  const before = [readFileSync(places.path, 'utf8'), readFileSync(places.journal, 'utf8')]
  const commands = [['plan'], ['apply', '--auto-approve'], ['destroy', '--auto-approve'], ['state', 'list'], ['state', 'restore', '--auto-approve']]
  for (const words of commands) {
    const { code, stderr } = await run(...words)
    expect([words, code, stderr]).toEqual([words, 9, expect.stringContaining('holds what this iac does not know')])
    expect(stderr).toContain(`${writer} wrote it so, or it was edited by hand. Nothing was changed.\n  hint: use the iac that wrote it, or a newer one\n`)
  }
  expect([readFileSync(places.path, 'utf8'), readFileSync(places.journal, 'utf8')]).toEqual(before)
})
