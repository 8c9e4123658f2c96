// A stream that no command can write to carelessly: whatever a terminal would obey, or the runner of a pipeline carry out, is broken up on its way out.
import { failure } from '../../base/diagnostic.ts'
import { holdsCommand, createBreaker } from '../render/text/runner-commands.ts'
import { plainBut, safeText } from '../render/text/sanitise.ts'
import type { Output, Sink, Surroundings } from './surroundings.ts'

/** The stream as commands see it. */
export function safeOutput(sink: Sink, environment: Surroundings['environment']): Output {
  const broken = createBreaker()
  const plain = plainBut({ colours: sink.colours, cursor: sink.size !== undefined })
  const write = (text: string): void => sink.write(broken(plain(text)))
  return {
    write,
    data(text) {
      if (sink.size !== undefined) return write(safeText(text))
      if (!sink.isFile && isPipeline(environment) && holdsCommand(text)) throw refused()
      sink.write(text)
    },
    commands: (text) => sink.write(plain(text)),
    get size() {
      return sink.size
    },
    get isGone() {
      return sink.isGone
    },
    colours: sink.colours,
  }
}

/** Whether what goes to a pipe may stand in a log that a runner reads. */
function isPipeline(environment: Surroundings['environment']): boolean {
  return ['CI', 'GITHUB_ACTIONS', 'GITEA_ACTIONS', 'GITLAB_CI', 'TF_BUILD', 'TEAMCITY_VERSION'].some(
    (name) => !['', '0', 'false'].includes(environment[name] ?? ''),
  )
}

function refused() {
  return failure('usage', 'this cannot be printed as it is: it holds what the runner of this pipeline would carry out', {
    detail: 'A line that begins with ::name::, ##[ or ##vso[ in a log is a command, and nothing tells here whether a log or a program reads it.',
    hint: 'write it to a file (> FILE), or take --json, which escapes it',
  })
}
