// The Containerfile, carried out in plain folders: a package of a release goes in, and its program runs as the image would run it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { buildDebianPackage } from '../../.ci/release/debian-package.mjs'
import { sumsOf } from '../../.ci/release/sums.mjs'
import { buildImage, instructionsOf } from '../builders/container-build.ts'

const file = resolve('.ci/Containerfile')
const EPOCH = 1_790_000_000

/** A folder with a package of a release and its sums; the program in it tells where it runs. */
async function release(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'iac-container-'))
  const context = join(folder, 'release')
  mkdirSync(context)
  const of = { version: '1.2.0', architecture: 'amd64', description: 'of tests', epoch: EPOCH }
  const program = { text: '#!/bin/sh\necho "iac $* in $PWD, at home in $HOME"\n', runs: true }
  await buildDebianPackage(
    of,
    { 'bin/iac': program, 'share/doc/iac/copyright': { text: 'of tests\n' } },
    join(folder, 'tree'),
    join(context, 'iac_1.2.0_amd64.deb'),
  )
  writeFileSync(join(context, 'SHA256SUMS'), `${await sumsOf(context)}${'0'.repeat(64)}  iac_1.2.0_arm64.deb\n`)
  return folder
}

test('its steps put the program of a checked package into an image, where it is nobody in particular', async () => {
  const folder = await release()
  const image = buildImage(file, join(folder, 'release'), folder)
  expect(image).toMatchObject({ base: 'debian:bookworm-slim', user: '65532:65532', workingFolder: '/project', entrypoint: ['/usr/bin/iac'], command: ['help'] })
  const [program = '', ...words] = [...image.entrypoint, ...image.command]
  const ran = execFileSync(join(image.root, program), words, {
    cwd: join(image.root, image.workingFolder),
    env: { PATH: '/usr/bin:/bin', ...image.environment },
    encoding: 'utf8',
  })
  expect(ran).toBe(`iac help in ${image.root}/project, at home in /home/iac\n`)
  expect(statSync(join(image.root, '/usr/share/doc/iac/copyright')).isFile()).toBe(true)
  // Only the program: neither the package nor what it was unpacked in.
  for (const path of ['release', 'unpacked', 'own']) expect(() => statSync(join(image.root, path))).toThrow('ENOENT')
  if (process.geteuid?.() === 0) for (const path of ['project', 'home/iac']) expect(statSync(join(image.root, path)).uid).toBe(65532)
})

test('a package whose checksum differs is not unpacked', async () => {
  const folder = await release()
  writeFileSync(join(folder, 'release/iac_1.2.0_amd64.deb'), 'of somebody else')
  expect(() => buildImage(file, join(folder, 'release'), folder)).toThrow('sha256sum')
})

test('its base can be built as it stands, and pinned from outside', () => {
  const text = readFileSync(file, 'utf8')
  const [base] = instructionsOf(text)
  expect(base).toEqual({ word: 'ARG', rest: 'BASE=debian:bookworm-slim' })
  expect(
    instructionsOf(text)
      .filter(({ word }) => word === 'FROM')
      .every(({ rest }) => rest.startsWith('${BASE}')),
  ).toBe(true)
  expect(text).toContain('--build-arg BASE=debian:bookworm-slim@sha256:')
})
