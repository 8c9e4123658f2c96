// The first file of a single executable: runs main.ts from what was put into it, and with what was compiled of it for this node.
import { getRawAsset } from 'node:sea'
import { homeFolder } from './base/files/home-folder.ts'
import { userCacheFolder } from './base/files/user-cache.ts'
import { codeFiles } from './base/program/code-cache.ts'
import { loadProgram } from './base/program/load-program.ts'

const userId = process.geteuid?.()
const isKept = !process.env['NODE_DISABLE_COMPILE_CACHE']
const folder = isKept ? userCacheFolder({ environment: process.env, homeFolder: homeFolder(), userId }, 'compiled') : undefined
const runtime = `${process.version} ${process.arch} ${process.versions.v8}`
const files = codeFiles({ folder, userId, command: process.argv[2] ?? '', runtime }, { read: asset, shipped })
const { asStarted } = loadProgram('chunks/main.cjs', { compile: files.compile, builtin: process.getBuiltinModule })
process.on('exit', (code) => {
  // Whoever was stopped wants to be gone.
  if (code < 128) asStarted(files.save)
})

/** Where it lies, not a copy: nobody writes to it. */
function asset(name: string): Buffer {
  const bytes = getRawAsset(name)
  return typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes)
}

/** Only what is built on a machine of its own sort has any. */
function shipped(name: string): Buffer | undefined {
  try {
    return asset(`compiled/${name}`)
  } catch {
    return undefined
  }
}
