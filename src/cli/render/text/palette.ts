// The colours that renderers use, handed in so that they stay pure.
import type { Colors } from 'picocolors/types.js'

export type Palette = Pick<Colors, 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'>

const plain = (text: string | number | null | undefined): string => String(text)

/** No colours at all. */
export const noColours: Palette = Object.freeze({ bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain })
