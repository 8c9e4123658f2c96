// Finds the folder of the project: the nearest upwards that holds iac.yaml.
import { dirname } from 'node:path'
import type { Files } from './files.ts'

/** The name of the project's own file. */
export const projectFileName = 'iac.yaml'

/** The nearest folder upwards from an absolute one that holds iac.yaml, else that folder itself. */
export function findProject(files: Files, folder: string): string {
  let current = folder
  for (;;) {
    if (files.kindOf(`${current}/${projectFileName}`) !== undefined) return current
    const above = dirname(current)
    if (above === current) return folder
    current = above
  }
}
