// The example of a team, word for word: two folders, one state, a database of their own, and a machine that dies.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { freePort, postgresPrograms, postgresUser } from '../builders/postgres.ts'

const root = resolve(import.meta.dirname, '../..')

test.runIf(postgresPrograms !== undefined)('the example of a team does what its page shows', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'iac-team-'))
  const at = join(folder, 'work/team')
  mkdirSync(join(folder, 'work'))
  cpSync(join(root, 'examples/team'), at, { recursive: true })
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  writeFileSync(join(folder, 'iac'), `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'dist/main.js')}' "$@"\n`)
  chmodSync(join(folder, 'iac'), 0o755)
  // A database server refuses to run as root.
  const as = postgresUser()
  if (as)
    for (const path of [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((one) => join(folder, one))]) chownSync(path, as.uid, as.gid)
  const script = [...readFileSync(join(root, 'examples/team/README.md'), 'utf8').matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block).join('\n')
  const ran = spawnSync(
    'bash',
    [
      '--norc',
      '-euo',
      'pipefail',
      '-m',
      '-c',
      `trap 'kill $(jobs -p) 2> /dev/null; pg_ctl --pgdata db --mode immediate stop > /dev/null 2>&1' EXIT\n${script}\ntrap - EXIT\n`,
    ],
    {
      cwd: at,
      env: { PATH: `${folder}:${postgresPrograms}:${process.env['PATH'] ?? ''}`, HOME: folder, NO_COLOR: '1', DB_PORT: String(await freePort()) },
      encoding: 'utf8',
      timeout: 170_000,
      ...as,
    },
  )
  const text = `${ran.stdout}\n${ran.stderr}`
  expect(ran.status, text).toBe(0)
  expect(text).toContain('Apply complete! Resources: 4 added, 0 changed, 0 destroyed.')
  // Killed, it told of no end.
  expect(readFileSync(join(at, 'apply.log'), 'utf8')).not.toContain('"operation":"apply"')
  expect(text.match(/No changes\. Your infrastructure matches the manifests\./g)).toHaveLength(2)
  expect(text).toMatch(/Destroy complete! Resources: 7 destroyed\./)
  rmSync(folder, { recursive: true, force: true })
})
