// `iac console`: expressions over the project, at a prompt or from standard input.
import { join } from 'node:path'
import type { Client } from '../../api/client.ts'
import { readOwnFile, replaceOwnFile } from '../../base/files/own-files.ts'
import { userCacheFolder } from '../../base/files/user-cache.ts'
import { createReader } from '../../engine/model/live.ts'
import { fetchLists } from '../../engine/refresh/lookups.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { kinds } from '../../kinds/registry.ts'
import { createConsole } from '../console/evaluator.ts'
import type { Answer, Evaluator, Listed, Subject } from '../console/evaluator.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { workspacesOf } from '../context/listed-objects.ts'
import { currentState } from '../context/state-access.ts'
import { inAMoment } from '../operating/names/in-a-moment.ts'
import { consoleHelp, consoleMistake, consoleValue } from '../render/console-text.ts'
import { failureOf } from '../surroundings/failures.ts'

// As much as somebody scrolls back.
const MOST_LINES = 1000
const historyBytes = 1024 * 1024

export const consoleCommand = defineCommand({
  summary: 'try expressions of the project',
  about:
    'Evaluates CEL, a line at a time, with what ${…} can name: variables, resources as the state holds them, lookups, functions. What is known only after an apply and what is sensitive is shown as that. At a terminal with history and completion. A line `help` tells what can be named, `exit`, `quit` or ^D ends it.',
  arguments: [],
  flags: {},
  idle: ['lock-timeout', 'no-input'],
  examples: [
    { text: 'console', about: 'at a prompt' },
    { text: 'console <<< "Vpc[\'main\'].range"', about: 'one expression from a script' },
  ],
  async run(context) {
    const { project } = await context.project()
    const { folded } = await currentState(context)
    const list = lister(project, folded.resources)
    const find: Subject['find'] = async (kind) => await list(await context.client(project.compat), kind)
    const suggest: Subject['suggest'] = (kind) => inAMoment(context, project.compat, (client) => list(client, kind))
    const { secretTexts = new Set<string>() } = (await context.load()).secretive ?? {}
    const subject: Subject = { project, files: context.files, secretTexts, kinds, resources: folded.resources, find, suggest }
    const evaluator = createConsole(subject)
    const { stdin } = context.surroundings
    let isRight = true
    const history = stdin.prompt ? openHistory(context) : undefined
    const lines = stdin.prompt ? stdin.prompt({ prompt: '> ', history: history?.lines ?? [], complete: evaluator.complete }) : linesOf(context)
    for await (const line of lines) {
      const word = line.trim()
      if (word === '') continue
      if (word === 'exit' || word === 'quit') break
      if (word === 'help') {
        tellScope(context, evaluator)
        continue
      }
      history?.keep(line)
      isRight = (await answer(context, evaluator, line)) && isRight
    }
    return isRight || stdin.prompt ? 0 : 3
  },
})

/** No expression is a word like that: what can be named without anything before it are kinds, vars and each. Beside JSON it is for people. */
function tellScope({ print, globals }: Context, { scope }: Evaluator): void {
  const text = consoleHelp(scope)
  if (globals.switch('json')) print.aside(text.trimEnd())
  else print.result(text)
}

async function* linesOf({ surroundings }: Context): AsyncGenerator<string> {
  for (;;) {
    const line = await surroundings.stdin.readLine(surroundings.stop)
    if (line === undefined) return
    yield line
  }
}

async function answer({ print, globals, surroundings }: Context, evaluator: Evaluator, line: string): Promise<boolean> {
  const found = await answerOf(evaluator, line)
  if ('value' in found) print.result(consoleValue(found.value, globals.switch('json'), surroundings.stdout.size?.columns))
  else print.aside(consoleMistake(line, found, print.errorPalette))
  return 'value' in found
}

/** A lookup that the service refuses, or that it does not answer, is a mistake of its line: the others may do without. */
async function answerOf(evaluator: Evaluator, line: string): Promise<Answer> {
  try {
    return await evaluator.evaluate(line)
  } catch (error) {
    const { diagnostics } = failureOf(error)
    const [told] = diagnostics
    if (!told || diagnostics.some((one) => one.code === 'internal' || one.code === 'interrupted')) throw error
    return { offset: Math.max(0, line.indexOf('lookup(')), message: told.summary, hint: told.hint }
  }
}

/** Lists a kind once, in the project's workspace. */
function lister({ compat, workspace }: Subject['project'], resources: Subject['resources']): (client: Client, kind: AnyKind) => Promise<Listed> {
  const idOf = (address: string): string | undefined => resources.get(address)?.id
  return async (client, kind) => {
    const [workspaceId = ''] =
      kind.scope === 'account' ? [''] : await workspacesOf(client, { ref: workspace, everywhere: false, idOf }, 'set provider.workspace in iac.yaml')
    return { found: await fetchLists(createReader(client, compat), [{ kind, workspaceId }], kinds, client.serverNow()), workspaceId }
  }
}

/** The lines typed before, the newest first, in the user's cache; what may hold a secret is not kept. */
function openHistory({ surroundings }: Context): { readonly lines: readonly string[]; readonly keep: (line: string) => void } {
  const folder = userCacheFolder(surroundings, 'console')
  const path = folder && join(folder, 'history')
  const lines = path === undefined ? [] : readLines(path, surroundings.userId)
  return {
    lines: [...lines],
    keep(line) {
      if (path === undefined || line.includes('sensitive(') || line === lines[0]) return
      lines.unshift(line)
      lines.splice(MOST_LINES)
      try {
        replaceOwnFile(path, lines.map((one) => `${one}\n`).join(''), { durable: false })
      } catch {
        // A history that cannot be kept is no reason to stop.
      }
    },
  }
}

function readLines(path: string, userId: number | undefined): string[] {
  try {
    return (readOwnFile(path, userId, historyBytes) ?? '').split('\n').filter((line) => line !== '')
  } catch {
    return []
  }
}
