// `iac import`: what is wrong with an address or an id is said in words of the command line.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const network = (more = ''): string =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: stray${more} }\nspec: { name: stray, description: d, range: 10.1.0.0/24 }\n`

function projectOf(text: string): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'net.yaml'), text)
  return folder
}

test.each([
  [['Vpc/stray', 'abc'], 'error: abc is no id of a Vpc', '`iac get Vpc`'],
  [['Vpc/stray', '1/2'], 'error: 1/2 is no id of a Vpc', '`iac get Vpc`'],
  [['Vpc/stray', '12'], 'error: Vpc/stray: there is no Vpc with id 12', ''],
  [['Vpc/other', '12'], 'error: Vpc/other has no manifest', 'write its manifest first'],
  [['Foo/stray', '12'], 'error: no kind is called Foo', '`iac explain` lists the kinds'],
  [['Vcp/stray', '12'], 'error: no kind is called Vcp', 'did you mean Vpc?'],
])('%j is refused', async (words, says, hint) => {
  const ran = await runCli(['import', ...words, '--sandbox'], { folder: projectOf(network()) })
  expect(ran).toMatchObject({ code: 3, stdout: '' })
  expect(ran.stderr).toContain(says)
  expect(ran.stderr).toContain(hint)
})

test('a manifest that imports what is no id is refused in the same words', async () => {
  const ran = await runCli(['plan', '--sandbox'], { folder: projectOf(network(', import: { id: abc }')) })
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('abc is no id of a Vpc') })
})
