// The package as npm makes it: what its README leads to is in it.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as z from 'zod'

const root = join(import.meta.dirname, '../..')
const packed = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }))

async function packedPaths(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })
  return packed.parse(JSON.parse(stdout)).flatMap((one) => one.files.map((file) => file.path))
}

test('holds what its README links to', async () => {
  const links = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path)
  const paths = await packedPaths()
  expect(links.length).toBeGreaterThan(5)
  expect(paths).toContain('README.md')
  expect(links.filter((link) => !paths.some((path) => path === link || path.startsWith(`${link}/`)))).toEqual([])
})
