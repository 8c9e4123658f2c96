// Draws schemas/reference/pictures/apply.svg: an apply of examples/web-tier, photographed in a terminal (tmux) and played back by the SVG itself. Run by hand.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [columns, rows] = [92, 25]
const [charWidth, lineHeight, margin] = [8.4, 18, 14]
const colours = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' }
const session = `iac-picture-${process.pid}`
const folder = mkdtempSync(join(tmpdir(), 'iac-picture-'))
const main = resolve('dist/main.js')

cpSync('examples/web-tier', folder, { recursive: true })
try {
  const shots = await photograph()
  writeFileSync('schemas/reference/pictures/apply.svg', svgOf(shots))
  console.log(`${shots.length} pictures of ${rows} lines`)
} finally {
  tmux('kill-session', '-t', session)
  rmSync(folder, { recursive: true, force: true })
}

function tmux(...words) {
  return execFileSync('tmux', words, { encoding: 'utf8' })
}

/** What the terminal shows, each picture with the ms that it stayed. */
async function photograph() {
  tmux('new-session', '-d', '-s', session, '-x', String(columns), '-y', String(rows), '-c', folder, `PS1='$ ' bash --norc --noprofile`)
  await sleep(500)
  tmux('send-keys', '-t', session, `alias iac='node ${main}'; clear`, 'Enter')
  await sleep(500)
  const shots = []
  const look = () => {
    const text = tmux('capture-pane', '-e', '-p', '-t', session)
    const last = shots.at(-1)
    if (last?.text !== text) shots.push({ text, atMs: Date.now() })
    return text
  }
  const until = async (words, limitMs = 60_000) => {
    const end = Date.now() + limitMs
    while (!look().includes(words)) {
      if (Date.now() > end) throw new Error(`the terminal never showed ${words}`)
      await sleep(40)
    }
  }
  for (const letter of 'iac apply --sandbox') {
    tmux('send-keys', '-t', session, '-l', letter)
    await sleep(45)
    look()
  }
  tmux('send-keys', '-t', session, 'Enter')
  await until('Enter a value:')
  await sleep(1_800)
  tmux('send-keys', '-t', session, '-l', 'yes')
  await sleep(400)
  look()
  tmux('send-keys', '-t', session, 'Enter')
  await until('Apply complete!')
  await sleep(400)
  look()
  const stay = shots.map((one, at) => ({ text: one.text, forMs: (shots[at + 1]?.atMs ?? one.atMs + 4_000) - one.atMs }))
  return stay.filter((one) => one.forMs > 30)
}

/** One group of lines per picture, shown in its turn; a still of the last one where nothing moves. */
function svgOf(shots) {
  const wholeMs = shots.reduce((sum, one) => sum + one.forMs, 0)
  const [width, height] = [Math.ceil(columns * charWidth + 2 * margin), rows * lineHeight + 2 * margin]
  let fromMs = 0
  const frames = shots.map(({ text, forMs }, at) => {
    const [begin, end] = [percent(fromMs, wholeMs), percent(fromMs + forMs, wholeMs)]
    fromMs += forMs
    const last = at === shots.length - 1
    const style = `@keyframes f${at}{0%{opacity:${begin === 0 ? 1 : 0}}${begin === 0 ? '' : `${begin}%{opacity:1}`}${last ? '100%{opacity:1}' : `${end}%{opacity:0}100%{opacity:0}`}}`
    return { style: `${style}#f${at}{animation:f${at} ${wholeMs}ms infinite step-end${last ? '' : ';opacity:0'}}`, body: `<g id="f${at}">${linesOf(text)}</g>` }
  })
  const still = `@media (prefers-reduced-motion){g{animation:none!important}}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="iac apply: the plan, the question, the operations as they run, and the end"><style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#e6edf3;white-space:pre}.b{font-weight:bold}.d{opacity:.6}${frames.map((one) => one.style).join('')}${still}</style><rect width="100%" height="100%" rx="8" fill="#0d1117"/>${frames.map((one) => one.body).join('')}</svg>\n`
}

function percent(part, whole) {
  return Number(((100 * part) / whole).toFixed(3))
}

function linesOf(text) {
  const state = { classes: new Set(), fill: undefined }
  const lines = text.split('\n').slice(0, rows)
  return lines.map((line, row) => lineOf(line, margin + (row + 0.8) * lineHeight, state)).join('')
}

/** A line of the terminal with its colours as spans. */
function lineOf(line, y, state) {
  const spans = line.split(/(\u001B\[[\d;]*m)/).map((part) => {
    const codes = /^\u001B\[([\d;]*)m$/.exec(part)
    if (!codes) return part === '' ? '' : spanOf(part, state)
    for (const code of (codes[1] || '0').split(';').map(Number)) take(code, state)
    return ''
  })
  const text = spans.join('')
  return text.trim() === '' ? '' : `<text x="${margin}" y="${y.toFixed(1)}" xml:space="preserve">${text}</text>`
}

function take(code, state) {
  if (code === 0) state.classes.clear()
  if (code === 0 || code === 39) state.fill = undefined
  if (code === 1) state.classes.add('b')
  if (code === 2) state.classes.add('d')
  if (code === 22) state.classes.clear()
  if (colours[code]) state.fill = colours[code]
}

function spanOf(text, { classes, fill }) {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  if (classes.size === 0 && fill === undefined) return safe
  return `<tspan${classes.size > 0 ? ` class="${[...classes].join(' ')}"` : ''}${fill ? ` fill="${fill}"` : ''}>${safe}</tspan>`
}
