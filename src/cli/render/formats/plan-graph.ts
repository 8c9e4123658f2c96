// A plan's graph in the forms that draw: what changes, and what it waits for.
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { drawingDot, drawingMermaid } from '../drawing/drawing-text.ts'
import type { Drawing } from '../drawing/drawing.ts'
import type { Graphviz } from '../drawing/layout.ts'
import { pictureOf } from '../drawing/picture.ts'
import { planDrawing } from '../drawing/plan-drawing.ts'
import { planTitle } from '../plan/plan-text.ts'
import type { Renderer, Report } from './report.ts'

/** For Graphviz. */
export const planDot =
  (kinds: readonly AnyKind[]): Renderer =>
  (report) =>
    drawingDot(reportDrawing(report, kinds))

/** A flowchart; in comments it stands in a fence of its own. */
export const planMermaid =
  (kinds: readonly AnyKind[]): Renderer =>
  (report) =>
    drawingMermaid(reportDrawing(report, kinds))

/** A picture that stands alone. */
export const planSvg =
  (kinds: readonly AnyKind[], graphviz: Graphviz): Renderer =>
  (report) =>
    pictureOf(reportDrawing(report, kinds), graphviz)

/** The drawing of a report's plan, its sentence above it. */
export function reportDrawing({ plan, outputs }: Report, kinds: readonly AnyKind[]): Drawing {
  const changesOutputs = Object.keys({ ...outputs.before, ...outputs.after }).length > 0
  return planDrawing({ changes: plan?.changes ?? [] }, plan ? planTitle(plan, changesOutputs) : '', kinds)
}
