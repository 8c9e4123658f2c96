// Puts a program into a copy of node: inject.mjs EXECUTABLE BLOB FUSE. In a process of its own, as what is printed meanwhile of node's sections tells nobody anything.
import { readFile } from 'node:fs/promises'
import { inject } from 'postject'

const [, , executable = '', blob = '', fuse = ''] = process.argv
await inject(executable, 'NODE_SEA_BLOB', await readFile(blob), { sentinelFuse: fuse })
