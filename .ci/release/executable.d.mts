// The types of executable.mjs, for its tests.
export const fuse: string
