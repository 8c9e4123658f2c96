// The types of targets.mjs, for its tests.
export type TargetName = 'linux-x64' | 'linux-arm64'
export const targets: Readonly<Record<TargetName, { readonly arch: string; readonly debian: string; readonly triplet: string; readonly machine: number }>>
export function fileNames(
  version: string,
  names: readonly TargetName[],
): {
  readonly archives: Readonly<Record<TargetName, string>>
  readonly packages: Readonly<Record<TargetName, string>>
  readonly manual: string
  readonly library: string
  readonly bill: string
  readonly container: string
}
export function isFileName(name: string): boolean
export function stem(version: string, name: TargetName): string
