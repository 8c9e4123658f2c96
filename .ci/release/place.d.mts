// The types of place.mjs, for its tests.
export function intoPlace(out: string, make: (folder: string) => unknown): Promise<void>
