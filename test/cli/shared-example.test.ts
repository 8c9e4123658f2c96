// The examples of a team, word for word: two folders, one state, a database or a store of their own, and a machine that dies.
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { drawn } from '../builders/long-form.ts'
import { freePort, postgresPrograms, postgresUser } from '../builders/postgres.ts'
import { startS3 } from '../builders/s3-server.ts'

const root = resolve(import.meta.dirname, '../..')

interface Ran {
  readonly text: string
  readonly code: number | null
  /** What the apply wrote that was killed. */
  readonly cutOff: string
}

interface Shown {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly programs?: Readonly<Record<string, string>>
  readonly as?: { readonly uid: number; readonly gid: number } | undefined
  /** What ends everything that is started, in words of a shell. */
  readonly end: string
}

/** All that the page of an example shows, in a folder of its own, as one script. */
async function shown(name: string, { folder, environment, programs = {}, as, end }: Shown): Promise<Ran> {
  const at = join(folder, 'work', name)
  mkdirSync(join(folder, 'work'))
  cpSync(join(root, 'examples', name), at, { recursive: true })
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const all = { iac: `exec '${process.execPath}' '${join(folder, 'dist/main.js')}' "$@"`, ...programs }
  for (const [program, does] of Object.entries(all)) {
    writeFileSync(join(folder, program), `#!/bin/sh\n${does}\n`)
    chmodSync(join(folder, program), 0o755)
  }
  if (as)
    for (const path of [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((one) => join(folder, one))]) chownSync(path, as.uid, as.gid)
  const script = [...readFileSync(join(root, 'examples', name, 'README.md'), 'utf8').matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block).join('\n')
  const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-m', '-c', `trap '${end}' EXIT\n${script}\ntrap - EXIT\n`], {
    cwd: at,
    env: { HOME: folder, NO_COLOR: '1', ...environment, PATH: [folder, environment['PATH'], process.env['PATH']].filter(Boolean).join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 170_000,
    ...as,
  })
  let text = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => void (text += chunk.toString('utf8')))
  const code = await new Promise<number | null>((closed) => void shell.once('close', closed))
  return { text, code, cutOff: code === 0 ? readFileSync(join(at, 'apply.log'), 'utf8') : '' }
}

function expectTheStory({ text, code, cutOff }: Ran): void {
  expect(code, text).toBe(0)
  expect(text).toContain('Apply complete! Resources: 4 added, 0 changed, 0 destroyed.')
  // Killed, it told of no end.
  expect(cutOff).not.toContain('"operation":"apply"')
  expect(text.match(/No changes\. Your infrastructure matches the manifests\./g)).toHaveLength(2)
  expect(text).toMatch(/Destroy complete! Resources: 7 destroyed\./)
}

/** Beside a database of its own. */
async function expectTeam(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'iac-team-'))
  const ran = await shown('team', {
    folder,
    environment: { PATH: postgresPrograms ?? '', DB_PORT: String(await freePort()) },
    // A database server refuses to run as root.
    as: postgresUser(),
    end: 'kill $(jobs -p) 2> /dev/null; pg_ctl --pgdata db --mode immediate stop > /dev/null 2>&1',
  })
  expectTheStory(ran)
  rmSync(folder, { recursive: true, force: true })
}

/** Beside a store of the tests in the place of MinIO. */
async function expectTeamS3(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'iac-team-s3-'))
  const keys = { accessKeyId: 'team', secretAccessKey: 'a-secret-of-the-example' }
  const store = await startS3({ keys })
  const { port } = new URL(store.origin)
  const ran = await shown('team-s3', {
    folder,
    // The machine that dies is waited for as long as its lease.
    environment: { STORE_PORT: port, IAC_LOCK_LEASE: '10s' },
    programs: {
      // The store listens already, and has the bucket: only what the page says of them is looked at.
      aws: `[ "$*" = 's3 mb s3://states' ] && [ "$AWS_ENDPOINT_URL_S3" = '${store.origin}' ]`,
      minio: `[ "$*" = "server store --address 127.0.0.1:${port}" ] && [ "$MINIO_ROOT_USER:$MINIO_ROOT_PASSWORD" = '${keys.accessKeyId}:${keys.secretAccessKey}' ] && exec sleep 170`,
    },
    end: 'kill $(jobs -p) 2> /dev/null',
  })
  expectTheStory(ran)
  const names = [...store.objects.keys()].map((key) => key.replace(/(?<=\/)[\d-]+$/, ''))
  const at = 'team-s3/state.json'
  expect(new Set(names)).toEqual(new Set([at, `${at}.lock`, `${at}.journal/`, `${at}.history/`]))
  expect(store.objects.get(at)).not.toContain('"Instance')
  for (const text of store.objects.values()) expect(text).not.toContain(keys.secretAccessKey)
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}

const stories = [
  { title: 'a team', isPresent: postgresPrograms !== undefined, expectIt: expectTeam },
  { title: 'a team with a bucket', isPresent: true, expectIt: expectTeamS3 },
].filter(({ isPresent }) => isPresent)

test.each(drawn(stories, 1, 'examples of teams'))(
  'the example of $title does what its page shows',
  { timeout: 180_000, tags: ['longer'] },
  async ({ expectIt }) => expectIt(),
)
