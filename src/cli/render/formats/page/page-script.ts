// What a plan's page does in the browser: it finds changes by any word in them, and fits the graph to its frame where that leaves it readable. Without it all stays there to read.

/** ES2020, in one piece; what a page's policy allows is its hash. */
export const pageScript = `
(() => {
  const form = document.querySelector('form')
  const box = document.getElementById('search')
  if (!form || !box) return
  const said = document.getElementById('found')
  const all = [...document.querySelectorAll('.change')]
  const groups = [...document.querySelectorAll('.group')]
  let texts
  let waiting = 0
  const show = () => {
    texts = texts || all.map((one) => one.textContent.toLowerCase())
    const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean)
    let count = 0
    all.forEach((one, at) => {
      const fits = words.every((word) => texts[at].includes(word))
      if (one.hidden === fits) one.hidden = !fits
      if (fits) count += 1
    })
    for (const one of groups) one.hidden = !one.querySelector('.change:not([hidden])')
    said.textContent = words.length === 0 ? '' : count + ' of ' + all.length + ' found'
  }
  const open = (isOpen) => { for (const one of all) if (!one.hidden) one.open = isOpen }
  box.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(show, 60) })
  document.getElementById('open').addEventListener('click', () => open(true))
  document.getElementById('close').addEventListener('click', () => open(false))
  form.addEventListener('submit', (event) => event.preventDefault())
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '/' && document.activeElement !== box) {
      event.preventDefault()
      box.focus()
    } else if (event.key === 'Escape' && document.activeElement === box) {
      box.value = ''
      show()
    }
  })
  form.hidden = false
  if (box.value !== '') show()
})();
(() => {
  const svg = document.querySelector('.scroll svg')
  if (!svg) return
  const whole = svg.width.baseVal.value
  const least = 0.7 * whole
  const fit = () => { svg.style.width = Math.max(least, Math.min(whole, svg.parentElement.clientWidth)) + 'px' }
  addEventListener('resize', fit)
  fit()
})()
`.trim()
