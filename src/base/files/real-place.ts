// Where paths lead.
import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** A path with the links in it followed, those that lead to nothing yet, too; a circle of links stays as it is. */
export function realPlace(path: string, hops = 40): string {
  const above = dirname(path)
  try {
    return realpathSync(path)
  } catch {
    const target = hops > 0 ? targetOf(path) : undefined
    if (target !== undefined) return realPlace(resolve(above, target), hops - 1)
    return above === path ? path : join(realPlace(above, hops), relative(above, path))
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
