#!/usr/bin/env node
// The program's first file: runs main.ts from its bundle, with what V8 compiled of it before; there is no other way to keep that on node 20.
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { homeFolder } from './base/files/home-folder.ts'
import { userCacheFolder } from './base/files/user-cache.ts'
import { codeFiles } from './base/program/code-cache.ts'
import { loadProgram } from './base/program/load-program.ts'
import { createFlags, takesBudget } from './base/program/v8-flags.ts'

createFlags(takesBudget(process.version)).optimise('late')
// The young heap begins with a MiB and doubles each time it was full: until it is large enough what lives is copied again and again.
setFlagsFromString('--semi-space-growth-factor=8')
const userId = process.geteuid?.()
const isKept = !process.env['NODE_DISABLE_COMPILE_CACHE']
const folder = isKept ? userCacheFolder({ environment: process.env, homeFolder: homeFolder(), userId }, 'compiled') : undefined
const files = codeFiles({ folder, userId, command: process.argv[2] ?? '', runtime: `${process.version} ${process.arch} ${process.versions.v8}` })
const { asStarted } = loadProgram(join(import.meta.dirname, 'chunks', 'main.cjs'), { compile: files.compile, builtin: process.getBuiltinModule })
process.on('exit', (code) => {
  // Whoever was stopped wants to be gone.
  if (code < 128) asStarted(files.save)
})
