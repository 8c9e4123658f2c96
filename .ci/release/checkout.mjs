// What git says of the checkout that is released: which files belong to it, when it was committed, and what of it is in no commit.
import { execFile } from 'node:child_process'
import { isAbsolute, relative } from 'node:path'
import { promisify } from 'node:util'
import { Refused } from './refused.mjs'

/** The files of the checkout at or below these paths: whatever else lies there is not ours to publish. Throws `Refused` outside of one. */
export async function trackedFiles(paths, root = '.') {
  await git(root, 'ls-files', '--error-unmatch', 'package.json')
  const [listed, gone] = await Promise.all([git(root, 'ls-files', '-z', '--', ...paths), git(root, 'ls-files', '-z', '--deleted', '--', ...paths)])
  const missing = new Set(gone.split('\0'))
  return listed.split('\0').filter((path) => path !== '' && !missing.has(path))
}

/** Throws `Refused` where anything but a release in `out` is in no commit: nobody could make the same bytes again. */
export async function refuseChanges(out, root = '.') {
  const place = relative(root, out)
  const except = place.startsWith('..') || isAbsolute(place) ? [] : [`:(exclude)${place}`, `:(exclude)${place}.fresh-*`]
  const changes = await git(root, 'status', '--porcelain', '--', '.', ...except)
  if (changes !== '') throw new Refused(`a release is that of a commit, and this is in none (with --dirty it is made all the same):\n${changes.trimEnd()}`)
}

/** Seconds since 1970: what the environment says, or when the commit was made. Throws `Refused` where the first is no number. */
export async function momentOf(given = process.env.SOURCE_DATE_EPOCH) {
  if (given !== undefined && !/^\d+$/.test(given)) throw new Refused('SOURCE_DATE_EPOCH is no number of seconds')
  return Number(given ?? (await git('.', 'log', '-1', '--format=%ct')).trim())
}

async function git(root, ...words) {
  const { stdout } = await promisify(execFile)('git', words, { cwd: root }).catch((error) => {
    throw new Refused(`outside of a git checkout nothing says what belongs to a release: ${(error.stderr || error.message).trim()}`)
  })
  return stdout
}
