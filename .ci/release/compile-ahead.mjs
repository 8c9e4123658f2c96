// Compiles every chunk of the program by the node that runs this, into files of the same names: compile-ahead.mjs FROM TO.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const [, , from = '', to = ''] = process.argv
const names = (await readdir(from)).filter((name) => name.endsWith('.cjs')).toSorted()
const texts = await Promise.all(names.map((name) => readFile(join(from, name), 'utf8')))
// Every function, and not those that a run happens to call: what comes of it is the same each time, with the seed that this node is given.
setFlagsFromString('--no-lazy')
const scripts = texts.map((text, at) => new Script(text, { filename: `chunks/${names[at]}` }))
// V8 takes compiled code only where its flags are those of whoever compiled it.
setFlagsFromString('--lazy')
setFlagsFromString('--hash-seed=0')
await mkdir(to, { recursive: true })
for (const [at, script] of scripts.entries()) await writeFile(join(to, names[at]), script.createCachedData())
