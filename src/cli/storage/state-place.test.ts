// A project keeps its state in its own folder, or where the environment allows it, whatever links lead elsewhere.
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Failure } from '../../base/diagnostic.ts'
import { statePlace } from './state-place.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'iac-place-')))
const folder = join(base, 'project')
for (const name of ['project/below', 'elsewhere', 'states/shop', 'project-beside']) mkdirSync(join(base, name), { recursive: true })
symlinkSync(join(base, 'elsewhere'), join(folder, 'link'))
symlinkSync(join(base, 'elsewhere/none'), join(folder, 'dangling'))
symlinkSync(join(base, 'elsewhere/state.json'), join(folder, 'state-link.json'))
symlinkSync(join(base, 'elsewhere'), join(base, 'states/link'))

const placed = (path: string, environment = {}): string => statePlace(path, folder, { environment, workingFolder: base })
const named = { IAC_STATE_DIR: 'states' }

test.each(['.iac/state.json', 'below/state.json', 'none/yet/state.json', './a/../state.json', '..state.json', join(folder, 'x.json')])('%s', (path) => {
  expect(placed(path)).toMatch(new RegExp(`^${folder}/`))
})
test.each([
  '../state.json',
  '../project-beside/state.json',
  '../project/../elsewhere/state.json',
  '/etc/passwd',
  '.',
  '',
  join(base, 'states/shop/state.json'),
  'below/../../state.json',
  'link/state.json',
  'link/none/state.json',
  'dangling/state.json',
  '.git/config',
  'below/.GIT/info/attributes',
])('%j is refused', (path) => {
  expect(() => placed(path)).toThrow(Failure)
  expect(() => placed(path)).toThrow(/state\.path/)
})
test('IAC_STATE_DIR names another folder, and no link leads out of it', () => {
  expect(placed('../states/shop/state.json', named)).toBe(join(base, 'states/shop/state.json'))
  expect(placed(join(base, 'states/state.json'), named)).toBe(join(base, 'states/state.json'))
  expect(placed('.iac/state.json', named)).toBe(join(folder, '.iac/state.json'))
  expect(() => placed('../states/link/state.json', named)).toThrow(/IAC_STATE_DIR/)
  expect(() => placed('../elsewhere/state.json', named)).toThrow(Failure)
})
test('a state file that is a link out of the project is refused', () => {
  expect(() => placed('state-link.json')).toThrow(Failure)
})
