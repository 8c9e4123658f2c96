// The types of sums.mjs, for its tests.
export function sumsOf(folder: string): Promise<string>
