// How what has a state comes and goes: the ends of its create and its delete (section "Resource state").
import * as z from 'zod'
import { resourceState } from '../../api/routes/fields.ts'
import type { Effect } from '../time/workflow-engine.ts'
import type { World } from '../world.ts'
import { dataOf } from './workflow-data.ts'

type Stated = 'disks' | 'ips' | 'apps'
type State = z.output<typeof resourceState>

const before = z.object({ state: resourceState })

/** What a create ends in; the data of its workflow names the resource by `word`. */
export function creation(table: Stated, word: string): Effect {
  return {
    done(world, { subject: { id } }) {
      setState(world, table, id, 'AVAILABLE')
      return dataOf(world, word, id)
    },
    misses: ({ tables }, { subject: { id } }) => !tables[table].get(id),
    failed(world, { subject: { id } }, leaves) {
      if (leaves === 'nothing') world.tables[table].delete(id)
      else setState(world, table, id, 'FAILED')
    },
  }
}

/** What a delete ends in; its input is the state that the resource had before it. */
export function removal(table: Stated): Effect {
  return {
    done(world, { subject: { id } }) {
      world.tables[table].delete(id)
      return undefined
    },
    failed: (world, { subject: { id }, input }, leaves) => setState(world, table, id, leaves === 'failed' ? 'FAILED' : before.parse(input).state),
  }
}

/** It may have gone since the workflow began. */
function setState({ tables }: World, table: Stated, id: string, state: State): void {
  if (tables[table].get(id)) tables[table].update(id, { state })
}
