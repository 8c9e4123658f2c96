// The types of checkout.mjs, for its tests.
export function trackedFiles(paths: readonly string[], root?: string): Promise<readonly string[]>
