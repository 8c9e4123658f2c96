// A prompt at a terminal: lines one at a time, with history and completion.
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** What a prompt shows, knows, and keeps. */
export interface Prompting {
  readonly prompt: string
  /** The newest first. */
  readonly history: readonly string[]
  /** What may stand at the end of a line, and the part of it that these begin with. */
  readonly complete: (line: string) => Promise<readonly [readonly string[], string]>
}

/** The lines that somebody types, until ^D, or ^C on an empty line; ^C else drops what was typed. */
export async function* promptLines(input: Readable, output: Writable, { prompt, history, complete }: Prompting): AsyncGenerator<string> {
  const asking = createInterface({
    input,
    output,
    prompt,
    terminal: true,
    history: [...history],
    completer: (line: string, tell: (error: null, found: [string[], string]) => void) => {
      void complete(line).then(
        ([words, part]) => tell(null, [[...words], part]),
        () => tell(null, [[], line]),
      )
    },
  })
  asking.on('SIGINT', () => {
    if (asking.line === '') return asking.close()
    // What readline knows as the line begins anew.
    asking.write(null, { ctrl: true, name: 'e' })
    asking.write(null, { ctrl: true, name: 'u' })
    asking.prompt()
  })
  let isOpen = true
  asking.on('close', () => (isOpen = false))
  try {
    asking.prompt()
    for await (const line of asking) {
      yield line
      // Lines that came before its end are still to be had after it.
      if (isOpen) asking.prompt()
    }
  } finally {
    asking.close()
  }
}
