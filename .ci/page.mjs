// The sandbox's page as one generated module: its script bundled, its style and script put into the document, with their hashes.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { build, transform } from 'esbuild'

const folder = 'src/sandbox/page'
const target = ['chrome110', 'firefox115', 'safari16.4']

/** The text of src/sandbox/page/page-asset.ts; how the script is built can be changed. */
export async function pageAsset(extra = {}) {
  const html = await readFile(`${folder}/page.html`, 'utf8')
  const bundle = await build({
    entryPoints: [`${folder}/client/start.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    charset: 'ascii',
    target,
    logLevel: 'warning',
    ...extra,
  })
  const script = bundle.outputFiles[0].text.trim()
  const { code } = await transform(await readFile(`${folder}/page.css`, 'utf8'), { loader: 'css', minify: true, charset: 'ascii', target })
  const style = code.trim()
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

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
