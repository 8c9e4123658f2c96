// The colours of drawings, for light and for dark surroundings; every text is readable on its ground (4.5:1).
import type { Look } from './thing.ts'

interface Colours {
  readonly fill: string
  readonly stroke: string
  readonly ink: string
}

interface Palette extends Readonly<Record<Look, Colours>> {
  readonly page: { readonly ground: string; readonly ink: string; readonly soft: string; readonly line: string; readonly frame: string }
}

const light: Palette = {
  create: { fill: '#e8f6ec', stroke: '#2c8a45', ink: '#12522a' },
  update: { fill: '#fff5d9', stroke: '#a86f00', ink: '#5f3f00' },
  replace: { fill: '#f4eafd', stroke: '#8442c4', ink: '#4f2182' },
  delete: { fill: '#fdeae9', stroke: '#c8322b', ink: '#82150f' },
  import: { fill: '#e4f1fd', stroke: '#1b6fc2', ink: '#0d4273' },
  forget: { fill: '#eef0f3', stroke: '#6b7684', ink: '#3a424d' },
  'no-op': { fill: '#f8f9fb', stroke: '#b9c1cb', ink: '#57606a' },
  plain: { fill: '#f2f5fb', stroke: '#66758c', ink: '#1b2430' },
  page: { ground: '#ffffff', ink: '#1b1f24', soft: '#57606a', line: '#7c8896', frame: '#f6f8fa' },
}

const dark: Palette = {
  create: { fill: '#12261a', stroke: '#3fb950', ink: '#aff5b4' },
  update: { fill: '#2b2108', stroke: '#d29922', ink: '#f8e3a1' },
  replace: { fill: '#231637', stroke: '#a371f7', ink: '#e2c5ff' },
  delete: { fill: '#2f1315', stroke: '#f85149', ink: '#ffc1ba' },
  import: { fill: '#0c2238', stroke: '#58a6ff', ink: '#cae8ff' },
  forget: { fill: '#20262d', stroke: '#8b949e', ink: '#d0d7de' },
  'no-op': { fill: '#161b22', stroke: '#4a525c', ink: '#a3abb4' },
  plain: { fill: '#1a2130', stroke: '#8b9bb4', ink: '#e6edf3' },
  page: { ground: '#0d1117', ink: '#e6edf3', soft: '#a3abb4', line: '#78828e', frame: '#141a22' },
}

/** A style sheet for `.drawing`; whatever stands around it, nothing else is touched. */
export const pictureStyle = [
  '.drawing{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px}',
  '.drawing .title{font-weight:600;font-size:14px}.drawing .words{font-size:11px}.drawing .grave{font-weight:700}',
  '.drawing .line{fill:none;stroke-width:1.3}.drawing .frame{stroke-dasharray:3 3}.drawing .forget rect{stroke-dasharray:5 3}.drawing .heavy rect{stroke-width:2.5}',
  ...rulesOf(light),
  `@media (prefers-color-scheme:dark){${rulesOf(dark).join('')}}`,
].join('\n')

function rulesOf({ page, ...colours }: Palette): string[] {
  const looks = Object.entries(colours).map(
    ([look, { fill, stroke, ink }]) => `.drawing .${look} rect{fill:${fill};stroke:${stroke}}.drawing .${look} text{fill:${ink}}`,
  )
  return [
    `.drawing .ground{fill:${page.ground}}.drawing text{fill:${page.ink}}.drawing .note{fill:${page.soft}}`,
    `.drawing .line{stroke:${page.line}}.drawing .arrow{fill:${page.line}}.drawing .frame{fill:${page.frame};stroke:${page.line}}`,
    ...looks,
  ]
}

/** Colours for readers that take them in a graph's own text: light ones alone. */
export function coloursOf(look: Look): Colours {
  return light[look]
}
