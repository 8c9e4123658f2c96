// Trees of files that are the same wherever and whenever they are made, and archives of them.
import { execFile, execFileSync } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Writes files (by path: `text` or `from`, and whether it `runs`) below a folder that is not there yet, with rights and times that depend on nothing else. */
export async function writeTree(folder, files, epoch) {
  for (const [path, { text, from, runs = false }] of Object.entries(files)) {
    const at = join(folder, path)
    await mkdir(dirname(at), { recursive: true })
    if (from === undefined) await writeFile(at, text)
    else await copyFile(from, at)
    await chmod(at, runs ? 0o755 : 0o644)
    await utimes(at, epoch, epoch)
  }
  const below = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isDirectory())
  for (const at of [...below.map((one) => join(one.parentPath, one.name)), folder]) {
    await chmod(at, 0o755)
    await utimes(at, epoch, epoch)
  }
}

/** Packs what lies in a folder: sorted, of nobody, of one moment. */
export async function archive(folder, output, epoch) {
  const entries = (await readdir(folder)).toSorted()
  const same = ['--sort=name', '--format=ustar', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${epoch}`, '--mode=u+rwX,go=rX']
  await promisify(execFile)('tar', ['-c', ...same, '--use-compress-program=gzip -6 -n', '-f', output, '-C', folder, '--', ...entries], {
    env: { ...process.env, LC_ALL: 'C' },
  })
}

/** Compressed without a name and a time. */
export function gzipped(text) {
  return execFileSync('gzip', ['-9', '-n'], { input: text })
}
