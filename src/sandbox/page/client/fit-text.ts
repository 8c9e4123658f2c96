// Texts of a drawing cut to the room they have, measured as they will be drawn.

/** How a text is drawn: a title is larger and bold. */
type Style = 'title' | 'plain'

const fonts: Readonly<Record<Style, string>> = { title: '600 13px', plain: '12px' }

/** No letter of any usual font is wider, in px: what fits by this is not measured. */
const WIDEST = 15

const pen = document.createElement('canvas').getContext('2d')
const { fontFamily } = getComputedStyle(document.body)

/** The width of a text in px. */
export function widthOf(text: string, style: Style): number {
  if (!pen) return text.length * WIDEST
  pen.font = `${fonts[style]} ${fontFamily}`
  return pen.measureText(text).width
}

/** As much of a text as there is room for, in px, an ellipsis for the rest; nothing where not even a few letters fit. */
export function fitText(text: string, room: number, style: Style): string {
  if (text.length * WIDEST <= room || widthOf(text, style) <= room) return text
  const letters = Array.from(text)
  let [fits, fails] = [0, letters.length]
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2)
    if (widthOf(`${letters.slice(0, middle).join('')}…`, style) <= room) fits = middle
    else fails = middle
  }
  return fits < 3 ? '' : `${letters.slice(0, fits).join('').trimEnd()}…`
}
