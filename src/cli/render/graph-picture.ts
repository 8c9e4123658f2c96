// The graph of dependencies as a picture: an arrow from each resource to what it needs, in a frame with what it hangs on.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { drawingOf } from './drawing/drawing.ts'
import { holderAmong, holderFields } from './drawing/holders.ts'
import type { Graphviz } from './drawing/layout.ts'
import { pictureOf } from './drawing/picture.ts'
import type { Graph } from './graph-text.ts'
import { counted } from './text/counted.ts'

/** `graph --format svg`: one document that stands alone. */
export function graphPicture({ nodes }: Graph, kinds: readonly AnyKind[], graphviz: Graphviz): string {
  const fields = holderFields(kinds)
  const things = nodes.map(({ address, kind, needs }) => {
    const field = fields.get(kind)
    const holder = field && holderAmong(field, needs, () => false)
    return { address, kind, look: 'plain', symbol: '', words: '', isGrave: false, holder, needs } as const
  })
  return pictureOf(drawingOf(things, { title: `${counted(nodes.length, 'resource')} and what each needs`, relation: 'needs' }), graphviz)
}
