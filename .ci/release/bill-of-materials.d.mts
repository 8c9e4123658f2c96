// The types of bill-of-materials.mjs, for its tests.
export function billOfMaterials(of: {
  readonly version: string
  readonly licence: string
  readonly epoch: number
  readonly packages: readonly { readonly name: string; readonly version: string; readonly licence: string; readonly needs: readonly string[] }[]
  readonly embedded: readonly { readonly name: string; readonly licence: string; readonly within: string }[]
  readonly node: { readonly version: string; readonly parts: Readonly<Record<string, string>>; readonly integrities: Readonly<Record<string, string>> }
}): object
