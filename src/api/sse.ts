// Lines of a text that keeps coming: server-sent events, or plain text where the service does not frame it.

const LONGEST_LINE = 1024 * 1024

/** Each line of the log, without its line break; of an event stream the data alone. A line beyond 1 MiB comes in pieces. */
export async function* logLines(chunks: AsyncIterable<Uint8Array>, isEventStream: boolean): AsyncIterable<string> {
  for await (const line of splitLines(chunks)) {
    if (!isEventStream) yield line
    else if (line.startsWith('data:')) yield line.slice(line.startsWith('data: ') ? 6 : 5)
    else if (line === 'data') yield ''
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    // A CR at the very end may be half of a CRLF.
    const lines = rest.slice(0, rest.endsWith('\r') ? -1 : undefined).split(/\r\n|\n|\r/)
    const last = lines.pop() ?? ''
    rest = rest.endsWith('\r') ? `${last}\r` : last
    yield* lines
    for (; rest.length > LONGEST_LINE; rest = rest.slice(LONGEST_LINE)) yield rest.slice(0, LONGEST_LINE)
  }
  rest += decoder.decode()
  if (rest !== '') yield rest.replace(/\r$/, '')
}
