// Graphviz, compiled to WebAssembly and carried along: no program of this machine is asked, and no file or address is read.

/** What lays out a graph in DOT, in one of Graphviz's forms; it throws for a text that is no DOT. */
export type LayOut = (dot: string, form: 'json' | 'svg') => string

/** Loads it, which takes some tens of milliseconds. */
export async function loadGraphviz(): Promise<LayOut> {
  const { Graphviz } = await import('@hpcc-js/wasm-graphviz')
  const loaded = await Graphviz.load()
  return (dot, form) => loaded.layout(dot, form, 'dot')
}
