// What the files of a release are known by: their hashes, in the form of sha256sum, and their sizes for people.
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A line for each file of a folder. */
export async function sumsOf(folder) {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').toSorted()
  const lines = await Promise.all(names.map(async (name) => `${await sumOf(join(folder, name))}  ${name}\n`))
  return lines.join('')
}

async function sumOf(path) {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

/** The files of a folder as a table. */
export async function shownFiles(folder) {
  const names = (await readdir(folder)).toSorted()
  const rows = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name))
      return [name, sized(content.length), createHash('sha256').update(content).digest('hex')]
    }),
  )
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)))
  return [`${folder}:`, ...rows.map(([name, size, sum]) => `${name.padEnd(widths[0])}  ${size.padStart(widths[1])}  ${sum}`)].join('\n')
}

function sized(bytes) {
  return bytes < 100_000 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
