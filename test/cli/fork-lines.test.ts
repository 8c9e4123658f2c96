// What a pipeline runs where it has no secrets, in repositories of git: the change is held against what stood there before it, where that is a project.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forkLines } from '../../src/cli/documents/pipelines/pipeline.ts'
import { newFolder } from './run-cli.ts'

const script = ['iac() { echo "iac $*"; }', ...forkLines('HEAD^1')].join('\n')

test('the plan of a fork is held against the project before the change, and stands alone where there was none', () => {
  const folder = newFolder()
  const git = (...words: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder, stdio: 'pipe' })
  const infra = join(folder, 'infra')
  const ran = () => execFileSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], { cwd: infra, encoding: 'utf8', stdio: 'pipe' })
  mkdirSync(infra)
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '-m', 'nothing')
  for (const name of ['one', 'two']) {
    writeFileSync(join(infra, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: ${name}\n`)
    git('add', '.')
    git('commit', '--quiet', '-m', name)
    if (name === 'one') expect(ran()).toMatch(/\niac plan --sandbox\n$/)
  }
  expect(ran()).toMatch(/\niac plan --sandbox --seed \/.*\/base\/infra\/\n$/)
})
