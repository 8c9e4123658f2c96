// The backend local, the reference for all others.
import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { realFileSystem } from '../../src/state/backends/local/file-system.ts'
import { localStore } from '../../src/state/backends/local/local-store.ts'
import { realMachine } from '../../src/state/process-identity.ts'
import { storeSuite } from './store-suite.ts'

describe('local', () => {
  storeSuite(
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'iac-local-'))
      const machine = await realMachine(process.pid)
      const pathOf = (name: string): string => join(folder, name, 'state.json')
      return {
        store: (name, { clock, sealing }) => localStore({ path: pathOf(name), fileSystem: realFileSystem(), clock, randomBytes, machine, sealing }),
        damage: async (name) => writeFile(pathOf(name), (await readFile(pathOf(name), 'utf8')).replace('main', 'niam')),
        garble: (name) => writeFile(`${pathOf(name)}.journal`, 'no journal\n'),
        async stored(name) {
          const files = await readdir(join(folder, name), { recursive: true, withFileTypes: true })
          const texts = await Promise.all(files.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'utf8')))
          return texts.join('\n')
        },
        blur: (name) => writeFile(`${pathOf(name)}.lock`, 'no lock\n'),
        age: (name) => copyFile(`${pathOf(name)}.history/1`, pathOf(name)),
        lose: (name) => rm(pathOf(name)),
        silence: (name, ms) => utimes(`${pathOf(name)}.lock`, new Date(), new Date(Date.now() - ms)),
        close: () => rm(folder, { recursive: true }),
      }
    },
    { lent: false, late: true },
  )
})
