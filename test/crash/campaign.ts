// Kills of the built program beside a state that outlives its machine, until there were as many as are asked for: a line of JSON for each try, as it ends.
import { parseArgs } from 'node:util'
import { randomOf } from '../builders/random-of.ts'
import { statePlaces } from '../builders/state-places.ts'
import type { PlaceName } from '../builders/state-places.ts'
import { countEffects, drawBlows, outlive } from './outlived.ts'
import { useProgram } from './program.ts'

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: 'dist' },
    backend: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '1' },
    kills: { type: 'string', default: '100' },
  },
})
/** Worlds at a time: most of what they do is to wait. */
const WIDTH = 4

function isPlace(name: string): name is PlaceName {
  return Object.hasOwn(statePlaces, name)
}

async function campaign(backend: string): Promise<void> {
  if (!isPlace(backend)) throw new Error(`--backend is one of ${Object.keys(statePlaces).join(', ')}`)
  const { missing, open } = statePlaces[backend]
  if (missing !== undefined) throw new Error(missing)
  useProgram(values.program)
  const place = await open()
  try {
    const effects = await countEffects(place)
    const [seed, first] = [Number(values.seed), Number(values.first)]
    const wanted = Number(values.kills)
    let [next, kills, isStopped] = [first, 0, false]
    // What is under way ends, and is not told: a signal to the terminal's processes met its runs, too.
    const stop = (): void => {
      isStopped = true
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    const worker = async (): Promise<void> => {
      while (!isStopped && kills < wanted) {
        const number = next
        next += 1
        const blows = drawBlows(randomOf((seed + Math.imul(number, 0x9e3779b1)) >>> 0), effects)
        const lived = await outlive(place, `p${number}`, blows)
        kills += lived.kills
        if (!isStopped) console.log(JSON.stringify({ number, blows, ...lived }))
      }
    }
    await Promise.all(Array.from({ length: WIDTH }, worker))
  } finally {
    await place.close()
  }
}

await campaign(values.backend)
