// What is made from the sources below schemas/ and examples/ci, for `npm run generate` and its check, and the manual of a release.
import { stringifyJson } from '../base/json.ts'
import { kinds } from '../kinds/registry.ts'
import { commandTable } from './command-table.ts'
import type { Command } from './context/command.ts'
import { allSchemas } from './documents/json-schema.ts'
import type { Edition } from './documents/man-page.ts'
import { manPages } from './documents/man-page.ts'
import { githubAction } from './documents/pipelines/github-action.ts'
import { gitlabComponent } from './documents/pipelines/gitlab.ts'
import { referencePages } from './documents/reference.ts'

/** Texts by path below schemas/. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  const commands = await allCommands()
  const schemas = Object.entries(allSchemas(kinds)).map(([name, schema]) => [name, `${stringifyJson(schema, 2)}\n`] as const)
  const pages = Object.entries(referencePages(kinds, commands)).map(([name, text]) => [`reference/${name}`, text] as const)
  return Object.fromEntries([...schemas, ...pages])
}

/** What stands below examples/ci, by path: an action of GitHub's and a component of GitLab's. */
export function forgeExamples(): Readonly<Record<string, string>> {
  return { 'github/action.yml': githubAction(), 'gitlab/templates/iac.yml': gitlabComponent() }
}

/** The man pages of a release, by the names of their files. */
export async function releaseManual(edition: Edition): Promise<Readonly<Record<string, string>>> {
  return manPages(await allCommands(), edition)
}

async function allCommands(): Promise<Readonly<Record<string, Command>>> {
  return Object.fromEntries(await Promise.all(Object.entries(commandTable).map(async ([name, entry]) => [name, await entry.load()] as const)))
}
