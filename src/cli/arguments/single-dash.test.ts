// Flags with one dash: each of Terraform's in the form that it has here, and nothing else touched.
import { expect, test } from 'vitest'
import { globalFlags } from './flags.ts'
import { selectionFlags } from './plan-flags.ts'
import { withTwoDashes } from './single-dash.ts'

const refresh = { type: 'choice', value: 'BOOL', choices: ['true', 'false'], about: '' } as const
const flags = { ...globalFlags, ...selectionFlags, out: { type: 'text', value: 'FILE', about: '' }, 'auto-approve': { type: 'switch', about: '' } } as const

test.each<[string, string]>([
  ['-var x=1', '--var x=1'],
  ['-var=x=1', '--var=x=1'],
  ['-var-file=a.yaml -auto-approve', '--var-file=a.yaml --auto-approve'],
  ['-target=Vpc/main -replace Vpc/b -out=p', '--target=Vpc/main --replace Vpc/b --out=p'],
  ['-refresh-only -json -no-color', '--refresh-only --json --no-color'],
  ['-input=false -input=true', '--no-input'],
  ['-auto-approve=true -json=false', '--auto-approve'],
  ['-chdir=infra -parallelism=3 -lock-timeout=5s', '--dir=infra --parallelism=3 --lock-timeout=5s'],
  ['-chdir infra', '--dir infra'],
  ['-help', '--help'],
  ['-lock=false -lock=true -lock', '--lock=false'],
  ['-input -input=0', '--input=0'],
  ['-backend-config=key=x -upgrade -force -fforce', '--backend-config=key=x --upgrade --force -fforce'],
  ['-refresh=true -refresh -backend=true -refresh=false', '--refresh=false'],
  ['--out -force -compact-warnings', '--out -force --compact-warnings'],
  ['-env=staging -e prod -f main.yaml -fmain.yaml', '--env=staging -e prod -f main.yaml -fmain.yaml'],
  ['--var -json', '--var -json'],
  ['-e -json', '-e -json'],
  ['-- -json', '-- -json'],
  ['-nothing -json=maybe -h -', '-nothing -json=maybe -h -'],
])('%s', (given, meant) => {
  expect(withTwoDashes(given.split(' '), flags, { areAll: true }).words.join(' ')).toBe(meant)
})

test.each<[string, string]>([
  ['-refresh', '--refresh=true'],
  ['-refresh -no-color', '--refresh=true --no-color'],
  ['-refresh=true -refresh=false -refresh=', '--refresh=true --refresh=false --refresh='],
  ['-refresh false', '--refresh false'],
  ['--refresh -json', '--refresh -json'],
  ['-out -refresh -refresh-only', '--out -refresh --refresh-only'],
])('where there is --refresh: %s', (given, meant) => {
  expect(withTwoDashes(given.split(' '), { ...flags, refresh }, { areAll: true }).words.join(' ')).toBe(meant)
})

test('before the command, nothing of what stands behind it is read', () => {
  expect(withTwoDashes(['-chdir', '-x', '-no-color', 'show', '-json'], flags, { upToCommand: true })).toEqual({
    words: ['--dir', '-x', '--no-color', 'show', '-json'],
    read: ['-chdir is read as --dir', '-no-color is read as --no-color'],
  })
})

test('says what was read as what, once each', () => {
  expect(withTwoDashes(['-var=x=canary', '-var', 'y=1', '-input=true', '-input=false', '--json'], flags).read).toEqual([
    '-var is read as --var',
    '-input=true says what is so anyway',
    '-input=false is read as --no-input',
  ])
})

test('what a command means by one dash is taken as it is written, and nothing is said of it', () => {
  const oneDash = { json: ['--dir', 'x', '--json'] }
  expect(withTwoDashes(['-json', '-auto-approve'], flags, { oneDash })).toEqual({
    words: ['--dir', 'x', '--json', '--auto-approve'],
    read: ['-auto-approve is read as --auto-approve'],
  })
  expect(withTwoDashes(['--var', '-json', '--json', '-constructor'], flags, { oneDash }).words).toEqual(['--var', '-json', '--json', '-constructor'])
})
