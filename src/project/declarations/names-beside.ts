// What the project's own files declare where a run reads others (-f): blocks of iac.yaml are about all of them.
import { formatAddress } from '../../base/address.ts'
import { isObject } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ProjectFile } from '../configuration/project-file.ts'
import type { Files } from '../files/files.ts'
import type { Turns } from '../files/turns.ts'
import { readSourcesInTurns } from '../yaml/sources.ts'
import type { Reading } from '../yaml/sources.ts'
import { expandedField } from './expand.ts'
import { headOf } from './manifest.ts'

/** Where there are moved blocks, the addresses without a key in the project's list, mistakes in its files aside: which keys a name has, only its file tells. */
export function* addressesBeside(
  file: ProjectFile,
  { files, folder, kinds }: { readonly files: Files; readonly folder: string; readonly kinds: readonly AnyKind[] },
  reading: Reading,
): Turns<readonly string[]> {
  if ((file.fields.moved ?? []).length === 0) return []
  const { documents } = yield* readSourcesInTurns(files, folder, file.isListed ? file.fields.manifests : [], undefined, reading)
  return documents.flatMap(({ value }) => {
    const { kind, name } = headOf(value)
    const definition = kinds.find((one) => one.name === kind)
    if (!definition || name === undefined || !isObject(value) || !isObject(value.metadata)) return []
    const isKeyed = value.metadata.for_each !== undefined || expandedField(definition) !== undefined
    return isKeyed ? [] : [formatAddress({ kind: definition.name, name })]
  })
}
