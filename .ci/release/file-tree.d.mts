// The types of file-tree.mjs, for its tests.
export interface TreeFile {
  readonly text?: string | Uint8Array
  readonly from?: string
  readonly runs?: boolean
}
export function writeTree(folder: string, files: Readonly<Record<string, TreeFile>>, epoch: number): Promise<void>
export function archive(folder: string, output: string, epoch: number): Promise<void>
export function gzipped(text: string): Buffer
