import { test } from 'vitest'
import { createWorld } from '../world.ts'
import { phasesOf } from './scenario.ts'
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
test('x', async () => {
  const times: number[] = []
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  for (let i = 0; i < 16; i++) {
    if (i === 4) await session.post('Profiler.start')
    const t = performance.now()
    const world = createWorld()
    for (const phase of phasesOf(new Set(['routing', 'cluster']))) {
        phase.name === 'destroy' ? await world.destroy(phase.yaml) : await world.apply(phase.yaml)
    }
    times.push(Math.round(performance.now() - t))
  }
  const { profile } = await session.post('Profiler.stop')
  writeFileSync('/tmp/p.cpuprofile', JSON.stringify(profile))
  console.log(times.join(' '))
}, 100000)
