// The page that shows how other people's tests use the sandbox: the fixture and its tests, as they run here.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = 'test/library'

/** The page's text; `npm run generate` writes it, from the project's root. */
export async function sandboxInTestsPage(): Promise<string> {
  const [fixture, tests] = await Promise.all(['sandbox-fixture.ts', 'sandbox-fixture.test.ts'].map(shown))
  return `# The sandbox in tests of your own

<!-- Made by \`npm run generate\`; changes belong into the sources. -->

\`createSandbox()\` of the package gives one object: \`fetch\` (in process, no socket), \`listen()\` and \`url\`, \`token\`, \`operatorToken\`, \`password\`, \`clock\`, \`faults\`, \`requests()\`, \`snapshot()\`, \`load()\`, \`reset()\`, \`close()\`. Its time jumps unless \`clock\` says otherwise, so that waiting costs nothing. Its tokens and its password are drawn at random; \`token\` and \`password\` fix them, and with \`token\` every other code is the same in each run, too. What cannot be (an unknown option, a limit below 0, a snapshot that does not fit) is a TypeError. \`close()\` ends it for good: whoever still waits for an answer, and whoever asks afterwards, gets an AbortError; \`snapshot()\` and \`requests()\` still tell what was there. Each sandbox stands by itself, so tests can run side by side.

## A fixture for vitest

\`\`\`ts
${fixture}\`\`\`

## What a test can ask

These tests run with every change of this project.

\`\`\`ts
${tests}\`\`\`
`
}

/** A file as it would stand in a project with the package. */
async function shown(name: string): Promise<string> {
  const text = await readFile(join(folder, name), 'utf8')
  return text.replaceAll("'../../src/library.ts'", "'iac'").replaceAll(/^\s*(?:\/\*|\/\/) oxlint-.*\n/gm, '')
}
