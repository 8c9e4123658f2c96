// The sandbox's page as one generated module: its script bundled, its style and script put into the document, with their hashes.
import { transform } from 'lightningcss'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { build } from 'rolldown'

const folder = 'src/sandbox/page'
const target = ['chrome110', 'firefox115', 'safari16.4']
const targets = { chrome: version(110), firefox: version(115), safari: version(16, 4) }

/** The text of src/sandbox/page/page-asset.ts; how the script is written can be changed. */
export async function pageAsset(extra = {}) {
  const html = await readFile(`${folder}/page.html`, 'utf8')
  const { output } = await build({
    input: `${folder}/client/start.ts`,
    write: false,
    transform: { target },
    output: { format: 'iife', minify: true, ...extra },
  })
  const script = output[0].code.trim()
  const { code } = transform({ filename: 'page.css', code: await readFile(`${folder}/page.css`), minify: true, targets })
  const style = code.toString().trim()
  if (/<\/(?:script|style)/i.test(script + style)) throw new Error('the page has a closing tag in its script or style')
  const text = html.replace('<style></style>', () => `<style>${style}</style>`).replace('<script></script>', () => `<script>${script}</script>`)
  return [
    "// The sandbox's page, made from its sources by `npm run generate`.",
    '',
    '/** The document with its style and script in it. */',
    `export const pageDocument = ${JSON.stringify(text)}`,
    "/** Hashes of the two for the page's policy. */",
    `export const scriptHash = '${hashOf(script)}'`,
    `export const styleHash = '${hashOf(style)}'`,
    '',
  ].join('\n')
}

/** A browser's version as the style sheet's compiler counts: one byte a part. */
function version(major, minor = 0) {
  return (major << 16) | (minor << 8)
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
