// The whole loop on the embedded service: plan, apply, an empty plan, a change behind our back, its repair, destroy.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const folder = mkdtempSync(join(tmpdir(), 'iac-demo-'))
const environment = { ...process.env, IAC_VAR_db_password: 'correct-horse', IAC_VAR_session_password: 'battery-staple' }

cpSync(join(root, 'examples/everything'), folder, { recursive: true })
try {
  say('A folder of manifests, and no account: --sandbox is the whole service in this process.')
  iac(0, 'plan')
  iac(0, 'apply', '--auto-approve')
  say('The same plan again:')
  iac(0, 'plan')
  say('Somebody renames the network behind our back:')
  const [network] = JSON.parse(capture('get', 'Vpc', '--json'))
  iac(0, 'api', 'PATCH', `/v1/vpcs/${network.id}`, '-f', 'name=renamed')
  iac(2, 'drift')
  say('An apply puts it right:')
  iac(0, 'apply', '--auto-approve')
  iac(0, 'drift')
  say('And all of it goes again:')
  iac(0, 'destroy', '--auto-approve')
  say(`That was all. Look into examples/ and the README for a project of your own.`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function say(text) {
  console.log(`\n── ${text}\n`)
}

function iac(expected, ...words) {
  console.log(`$ iac ${[...words, '--sandbox'].join(' ')}`)
  const { status } = spawnSync(process.execPath, [join(root, 'dist/main.js'), ...words, '--sandbox'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status === expected) return
  throw new Error(`the demo stops here: exit code ${status}, ${expected} expected`)
}

function capture(...words) {
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'dist/main.js'), ...words, '--sandbox'], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`iac ${words.join(' ')} ended with ${status}`)
  return stdout
}
