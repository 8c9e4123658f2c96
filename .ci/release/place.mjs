// Where a release is put: made beside its place, and moved there once it is complete, over nothing but an earlier one.
import { mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refused } from './refused.mjs'
import { isFileName } from './targets.mjs'

const SUMS = 'SHA256SUMS'

/**
 * Has a release made in a folder beside `out`, and moves it there. Where that fails, an earlier one stays as it was.
 * Throws `Refused` where anything else lies in `out`, before it is made and after.
 */
export async function intoPlace(out, make) {
  const place = await realpath(out).catch(() => out)
  await earlierIn(place)
  await mkdir(dirname(place), { recursive: true })
  const fresh = await mkdtemp(`${place}.fresh-`)
  try {
    await make(fresh)
    await move(fresh, place)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** The files of an earlier release. */
async function earlierIn(place) {
  const entries = await readdir(place, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw new Refused(`${place} cannot be read: ${error.message}`)
  })
  const names = entries.map((one) => one.name)
  const foreign = entries.filter((one) => !one.isFile() || !isFileName(one.name)).map((one) => one.name)
  if (foreign.length > 0) throw new Refused(`${place} holds what is of no release: ${foreign.join(', ')}`)
  if (names.length > 0 && !names.includes(SUMS)) throw new Refused(`${place} holds no whole release, and is not empty: ${SUMS} is missing`)
  return names
}

/** The sums first: whatever ends this half-way, they tell that it is not whole, and the next release that it is one. */
async function move(fresh, place) {
  const earlier = await earlierIn(place)
  await mkdir(place, { recursive: true })
  const made = (await readdir(fresh)).filter((name) => name !== SUMS)
  await rename(join(fresh, SUMS), join(place, SUMS))
  for (const name of earlier) if (name !== SUMS && !made.includes(name)) await rm(join(place, name))
  for (const name of made) await rename(join(fresh, name), join(place, name))
}
