// The bare parse: a process that reads the YAML files of a folder and makes plain values of them, by the library alone.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

const [, , folder = ''] = process.argv
for (const name of readdirSync(folder))
  if (name.endsWith('.yaml')) for (const document of parseAllDocuments(readFileSync(join(folder, name), 'utf8'))) document.toJS()
