// Lines of a text that keeps coming: server-sent events, or plain text where the service does not frame it.

const LONGEST_LINE = 1024 * 1024

/** Each line of the log, without its line break; of an event stream the data alone, without what the end cut off. A line beyond 1 MiB comes in pieces. */
export async function* logLines(chunks: AsyncIterable<Uint8Array>, isEventStream: boolean): AsyncIterable<string> {
  for await (const line of splitLines(chunks, !isEventStream)) {
    if (!isEventStream) yield line
    else if (line.startsWith('data:')) yield line.slice(line.startsWith('data: ') ? 6 : 5)
    else if (line === 'data') yield ''
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>, takesRest: boolean): AsyncIterable<string> {
  const decoder = new TextDecoder()
  const line = createLine()
  let afterReturn = false
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    // The LF of a CRLF whose CR has ended the line already.
    const fresh = afterReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') afterReturn = text.endsWith('\r')
    const lines = fresh.split(/\r\n|\n|\r/)
    const last = lines.pop() ?? ''
    for (const end of lines) yield line.take(end)
    for (let from = 0; from < last.length; from += LONGEST_LINE) {
      line.add(last.slice(from, from + LONGEST_LINE))
      if (line.length() >= LONGEST_LINE) yield line.take('')
    }
  }
  const rest = line.take(decoder.decode())
  if (takesRest && rest !== '') yield rest
}

/** What came of a line so far; it is put together once, since each of its bytes may come alone. */
function createLine() {
  let parts: string[] = []
  let length = 0
  return {
    add(part: string) {
      parts.push(part)
      length += part.length
    },
    take(end: string): string {
      const whole = parts.join('') + end
      parts = []
      length = 0
      return whole
    },
    length: () => length,
  }
}
