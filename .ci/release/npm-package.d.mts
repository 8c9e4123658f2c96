// The types of npm-package.mjs, for its tests.
type Manifest = Readonly<Record<string, unknown>>
export function publishedManifest(manifest: Manifest): Manifest
export function packNpm(
  from: { readonly manifest: Manifest; readonly root: string; readonly paths: readonly string[]; readonly distribution: string; readonly epoch: number },
  tree: string,
  out: string,
): Promise<string>
