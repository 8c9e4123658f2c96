// A long campaign that may be stopped: what it has come to stands in a file, as long as the same program is tried in the same way.
import { createHash } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What is known already, or `fresh` where the file tells of nothing, of another program or of another way; `save` keeps what it is given, `end` removes the file. */
export async function openCampaign(file, identity, fresh) {
  const known = await readKnown(file)
  return {
    isResumed: known?.identity === identity,
    reached: known?.identity === identity ? known.reached : fresh,
    save(reached) {
      writeFileSync(`${file}.new`, JSON.stringify({ identity, reached }))
      renameSync(`${file}.new`, file)
    },
    end: () => rmSync(file, { force: true }),
  }
}

/** One text for all files below a folder. */
export async function hashOf(folder) {
  const hash = createHash('sha256')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  for (const path of paths.toSorted()) hash.update(path.slice(folder.length)).update(await readFile(path))
  return hash.digest('hex')
}

/** Passes a stop from outside on to the processes of a campaign; whether there was one. */
export function stoppable(children) {
  let isStopped = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isStopped = true
      for (const child of children) child.kill('SIGTERM')
    })
  return () => isStopped
}

/** The numbers from `next` on that were reached without a gap. */
export function reachedUpTo(next, done) {
  let end = next
  while (done.has(end)) end += 1
  return end
}

async function readKnown(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
