// The types of debian-package.mjs, for its tests.
import type { TreeFile } from './file-tree.d.mts'

export const libraries: Readonly<Record<string, readonly string[]>>
export function controlText(of: {
  readonly version: string
  readonly architecture: string
  readonly installedKib: number
  readonly description: string
  readonly maintainer: string
}): string
export function maintainer(environment: Readonly<Record<string, string | undefined>>): string
export function buildDebianPackage(
  of: { readonly version: string; readonly architecture: string; readonly description: string; readonly epoch: number },
  files: Readonly<Record<string, TreeFile>>,
  work: string,
  output: string,
): Promise<void>
