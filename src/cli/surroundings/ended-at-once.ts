// What is said where a command ends at once, by a second ^C or a signal, while requests are on their way.
import type { Client } from '../../api/client.ts'
import { counted } from '../render/text/counted.ts'
import type { Surroundings } from './surroundings.ts'

/** From here on an end at once tells how many requests of the client were on their way, and what follows from it; returns what takes it back. */
export function tellingOfEnd(surroundings: Surroundings, clientOf: () => Pick<Client, 'load'> | undefined, follows: () => string): () => void {
  return surroundings.atExit(() => surroundings.stderr.write(`ended at once: ${onTheWay(clientOf()?.load().underWay ?? 0)}; ${follows()}\n`))
}

function onTheWay(requests: number): string {
  if (requests === 0) return 'no request was on the way'
  return `${counted(requests, 'request')} ${requests === 1 ? 'was' : 'were'} on the way`
}
