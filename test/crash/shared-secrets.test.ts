// Secrets beside a state that machines share: those of manifests, and those that open its place, stand nowhere, whatever goes well or wrong.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawn } from '../builders/long-form.ts'
import type { StatePlace } from '../builders/state-places.ts'
import { statePlaces } from '../builders/state-places.ts'
import { secretsIn, startShared } from './outlived.ts'
import { startIac } from './program.ts'
import type { World } from './world.ts'

/** All that may be printed, written or sent to the place. */
const commands = [
  ['plan', '--verbose', '--out', 'plan.json'],
  ['plan', '--json'],
  ['apply', '--auto-approve', '--verbose'],
  ['apply', '--auto-approve', '--json'],
  ['state', 'pull'],
  ['state', 'history', '--json'],
  ['state', 'show', 'BgpConfiguration/session'],
  ['status'],
  ['destroy', '--auto-approve', '--verbose'],
]
/** What makes a place unreachable, or refuse, by its variables: each other part than the secrets themselves. */
const wrongs: readonly ((environment: Readonly<Record<string, string>>) => Readonly<Record<string, string>>)[] = [
  ({ IAC_STATE_URL: url = '' }) => ({ IAC_STATE_URL: url.replace(/:\d+\//, ':1/') }),
  ({ IAC_STATE_URL: url = '' }) => ({ IAC_STATE_URL: url.replace(/\/tests$/, '/nowhere') }),
  ({ IAC_STATE_URL: url = '' }) => ({ IAC_STATE_URL: url.replace('//tests:', '//nobody:') }),
  ({ IAC_STATE_URL: url = '' }) => ({ IAC_STATE_URL: url.replace('@', '@@[') }),
  () => ({ AWS_ACCESS_KEY_ID: 'SOMEBODY' }),
  () => ({ AWS_REGION: 'no region' }),
  () => ({ TF_HTTP_USERNAME: 'nobody' }),
  () => ({ IAC_STATE_HOST: 'elsewhere.example' }),
]

const passphrase = 'canary of the passphrase/1+a=='
const places = Object.values(statePlaces)
  .filter((one) => one.missing === undefined)
  .flatMap(({ title, open, shared }) => [
    { title, open, shared },
    { title: `${title}, encrypted`, open: async () => encrypted(await open()), shared },
  ])

/** The same place, where what is kept is encrypted by a passphrase that may stand nowhere either. */
function encrypted(place: StatePlace): StatePlace {
  return {
    ...place,
    settings: (project) => place.settings(project).replace(/ \}$/, ', encryption: { keys: [env:IAC_STATE_KEY] } }'),
    environment: { ...place.environment, IAC_STATE_KEY: passphrase },
    secrets: [...place.secrets, passphrase],
  }
}

describe.each(drawn(places, 1, 'places beside secrets', 3))(
  'secrets beside a state in $title',
  { timeout: 180_000, tags: ['longer'] },
  ({ open, shared, title }) => {
    let place: StatePlace
    beforeAll(async () => void (place = await open()), 60_000)
    afterAll(() => place.close())

    test('stand in nothing that is printed, written or kept there', async () => {
      const world = await startShared(place, 'secret')
      for (const words of commands) {
        const ended = await world.run(words)
        expect([words, ended.code]).toEqual([words, 0])
        expect([words, secretsIn(ended.stdout + ended.stderr, place), secretsIn(filesOf(world), place), secretsIn(place.dump(), place)]).toEqual([
          words,
          [],
          [],
          [],
        ])
      }
      expect(place.dump().includes('iac-sealed/')).toBe(title.endsWith('encrypted'))
      await world.close()
    })

    test('stand in no error of a place that cannot be reached, or refuses', async () => {
      const world = await startShared(place, 'refused')
      const codes: (number | null)[] = []
      for (const wrong of wrongs) {
        const env = { ...world.environment, ...wrong(world.environment) }
        const ended = await startIac(['plan', '--verbose'], { cwd: world.folder, env }).ended
        expect(secretsIn(ended.stdout + ended.stderr + filesOf(world), place)).toEqual([])
        codes.push(ended.code)
      }
      expect(codes.filter((one) => one !== 0).length > 0).toBe(shared)
      expect(codes.filter((one) => one === null || ![0, 3, 4, 9].includes(one))).toEqual([])
      await world.close()
    })
  },
)

/** Everything below the folder and the home of a run, but the manifests. */
function filesOf(world: World): string {
  const entries = [world.folder, join(world.folder, '../home')].flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  return entries.map((one) => (one.isFile() ? readFileSync(join(one.parentPath, one.name), 'latin1') : '')).join('\n')
}
