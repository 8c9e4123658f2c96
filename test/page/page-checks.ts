// Basic checks of a page as a script for the browser: names, landmarks, contrast of every text, widths, and the order of Tab.

/** An expression that gives a function; it returns what is wrong, in words. */
export const problemsOfPage = String.raw`(() => {
  const problems = []
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: false })
  const nameOf = (one) => {
    const by = (one.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim()
    return by || one.ariaLabel || [...(one.labels ?? [])].map((label) => label.textContent).join(' ').trim() || (one.matches('input, select') ? '' : one.textContent.trim()) || one.title
  }
  const describe = (one) => one.tagName.toLowerCase() + (one.id ? '#' + one.id : '') + ' "' + one.textContent.trim().slice(0, 30) + '"'
  if (document.documentElement.scrollWidth > innerWidth) problems.push('scrolls sideways: ' + document.documentElement.scrollWidth)
  for (const one of document.querySelectorAll('ol, ul, #details')) if (shown(one) && one.scrollWidth > one.clientWidth + 1) problems.push('cut off at its side: ' + describe(one))
  for (const one of document.querySelectorAll('ol, ul')) if (one.getBoundingClientRect().height > innerHeight) problems.push('higher than the window: ' + describe(one))
  for (const one of document.querySelectorAll('button, a[href], input, select, [role=button], [role=progressbar], section, nav, aside, dialog, ol, ul:not(:empty)'))
    if (shown(one) && !nameOf(one)) problems.push('no name: ' + one.outerHTML.slice(0, 80))
  for (const tag of ['main', 'header', 'h1', 'nav']) if (document.querySelectorAll('body > ' + tag + ', header > .brand > ' + tag + ', header > ' + tag).length !== 1) problems.push('not one ' + tag)
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id)
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push('id twice: ' + id)
  for (const one of document.querySelectorAll('[tabindex]')) if (one.tabIndex > 0) problems.push('tabindex beyond 0: ' + describe(one))
  for (const one of document.querySelectorAll('*')) for (const { name } of one.attributes) if (name.startsWith('on')) problems.push('inline handler: ' + describe(one))

  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgba = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return { rgb: [r, g, b], a: a / 255 } }
  const luminance = (rgb) => { const [r, g, b] = rgb.map((one) => one / 255).map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
  const groundOf = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const box = at.closest('svg') && at.parentElement?.querySelector(':scope > rect')
      const color = box ? getComputedStyle(box).fill : at instanceof HTMLElement ? getComputedStyle(at).backgroundColor : 'transparent'
      const { rgb, a } = color === 'none' ? { rgb: [0, 0, 0], a: 0 } : rgba(color)
      if (a === 1) return rgb
    }
    return [255, 255, 255]
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement
    if (!texts.currentNode.data.trim() || !shown(one) || one.closest('.unseen, title, script, style, noscript, option, dialog:not([open])')) continue
    const style = getComputedStyle(one)
    const ink = rgba(one instanceof SVGElement ? style.fill : style.color).rgb
    const [light, dark] = [luminance(ink), luminance(groundOf(one))].toSorted((a, b) => b - a)
    const ratio = (light + 0.05) / (dark + 0.05)
    if (ratio < 4.5) problems.push('contrast ' + ratio.toFixed(2) + ': ' + describe(one))
  }
  return problems
})`
