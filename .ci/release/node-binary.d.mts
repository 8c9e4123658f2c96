// The types of node-binary.mjs, for its tests.
export const nodeVersion: string
export const pinned: Readonly<Record<'linux-x64' | 'linux-arm64', string>>
