// A drawing as DOT and as mermaid, for those who lay it out themselves: the same boxes, frames, lines and colours as the picture.
import { safeLine } from '../text/sanitise.ts'
import type { Box, Drawing } from './drawing.ts'
import { coloursOf } from './picture-style.ts'
import { looks } from './thing.ts'

/** For Graphviz: frames are clusters. */
export function drawingDot(drawing: Drawing): string {
  const { title, boxes, lines, notes } = drawing
  const { framed, free } = framesOf(boxes)
  const nodeText = (at: number): string => {
    const box = boxes[at]
    if (!box) return ''
    const { fill, stroke, ink } = coloursOf(box.look)
    return `  n${at} [label=${dotText(labelOf(box))}, tooltip=${dotText([box.title])}, fillcolor="${fill}", color="${stroke}", fontcolor="${ink}"];`
  }
  const all = [
    'digraph plan {',
    `  rankdir=LR; label=${dotText([title, ...notes])}; labelloc=t; fontname="monospace";`,
    '  node [shape=box, style="rounded,filled", fontname="monospace", fontsize=11];',
    '  edge [color="#7c8896", arrowsize=0.7];',
    ...[...framed].flatMap(([frame, within]) => [
      `  subgraph cluster_${frame} {`,
      '    style="rounded,dashed"; color="#7c8896"; label="";',
      ...within.map((at) => `  ${nodeText(at)}`),
      '  }',
    ]),
    ...free.map(nodeText),
    ...lines.map(({ from, to }) => `  n${from} -> n${to};`),
    '}',
  ]
  return `${all.join('\n')}\n`
}

/** For mermaid, as forges draw it in comments: frames are subgraphs. */
export function drawingMermaid({ boxes, lines, notes }: Drawing): string {
  const { framed, free } = framesOf(boxes)
  const nodeText = (at: number): string => {
    const box = boxes[at]
    return box ? `  n${at}["${labelOf(box).map(mermaidText).join('<br>')}"]` : ''
  }
  const used = looks.filter((look) => boxes.some((one) => one.look === look))
  const all = [
    'flowchart LR',
    ...used.map((look) => {
      const { fill, stroke, ink } = coloursOf(look)
      return `  classDef ${classOf(look)} fill:${fill},stroke:${stroke},color:${ink}`
    }),
    ...(framed.size === 0 ? [] : ['  classDef frame fill:none,stroke:#7c8896,stroke-dasharray:3 3']),
    ...[...framed].flatMap(([frame, within]) => [`  subgraph f${frame}[" "]`, '    direction LR', ...within.map((at) => `  ${nodeText(at)}`), '  end']),
    ...(framed.size === 0 ? [] : [`  class ${[...framed.keys()].map((frame) => `f${frame}`).join(',')} frame`]),
    ...free.map(nodeText),
    ...lines.map(({ from, to }) => `  n${from} --> n${to}`),
    ...(notes.length === 0 ? [] : ['  classDef note fill:none,stroke:none']),
    ...notes.map((note, at) => `  note${at}["${mermaidText(note)}"]`),
    // Apart from what they are given to: with three colons behind it, a runner would find a command there.
    ...used.map((look) => `  class ${boxes.flatMap((one, at) => (one.look === look ? [`n${at}`] : [])).join(',')} ${classOf(look)}`),
    ...(notes.length === 0 ? [] : [`  class ${notes.map((_, at) => `note${at}`).join(',')} note`]),
  ]
  return `${all.join('\n')}\n`
}

function framesOf(boxes: readonly Box[]): { readonly framed: ReadonlyMap<number, readonly number[]>; readonly free: readonly number[] } {
  const framed = new Map<number, number[]>()
  const free: number[] = []
  for (const [at, { frame }] of boxes.entries()) {
    const within = frame === undefined ? free : framed.get(frame)
    if (within) within.push(at)
    else if (frame !== undefined) framed.set(frame, [at])
  }
  return { framed, free }
}

function labelOf({ symbol, name, count, words }: Box): readonly string[] {
  const head = [symbol, name, count > 1 ? `× ${count}` : ''].filter((one) => one !== '').join(' ')
  return words === '' ? [head] : [head, words]
}

function classOf(look: Box['look']): string {
  return look.replace('-', '')
}

/** Lines as DOT quotes them; `&` would begin the name of a sign. */
function dotText(lines: readonly string[]): string {
  return `"${lines.map((one) => safeLine(one).replace(/["\\]/g, '\\$&').replaceAll('&', '&amp;')).join('\\n')}"`
}

function mermaidText(text: string): string {
  return safeLine(text).replace(/[&<>"'#[\]{}()|`\\;%]/g, (one) => `#${one.charCodeAt(0)};`)
}
