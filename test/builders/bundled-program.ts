// Programs that tests run in processes of their own: TypeScript that imports the sources, as one module.
import { join } from 'node:path'
import { build } from 'rolldown'

/** Writes `contents`, whose relative imports start at `folder`, with all that it imports to `outfile`. */
export async function bundleProgram(contents: string, folder: string, outfile: string): Promise<void> {
  const id = join(folder, 'program-of-test.ts')
  const program = {
    name: 'program',
    resolveId: (source: string) => (source === id ? id : undefined),
    load: (source: string) => (source === id ? contents : undefined),
  }
  await build({
    input: id,
    platform: 'node',
    plugins: [program],
    output: { file: outfile, format: 'esm', codeSplitting: false },
  })
}
