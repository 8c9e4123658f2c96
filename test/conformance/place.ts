// Where the walk takes place: the service in process under a jumping clock, or behind a loopback socket under a real one.
import { compatSchema } from '../../src/api/calls/compat.ts'
import { socketTransport } from '../../src/api/transport/socket-transport.ts'
import type { Transport } from '../../src/api/transport/wire.ts'
import { realClock, virtualClock } from '../../src/base/clock.ts'
import type { Clock } from '../../src/base/clock.ts'
import { sandboxTransport } from '../../src/cli/sandbox/folder.ts'
import type { AnyKind } from '../../src/kinds/definition/kind.ts'
import type { Readings } from '../../src/sandbox/readings/assumptions.ts'
import { compatFor } from '../../src/sandbox/readings/reading-compat.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { memoryFileSystem } from '../../src/state/backends/local/memory-file-system.ts'
import { encodeDocument } from '../../src/state/document.ts'
import type { StateDocument } from '../../src/state/record.ts'
import { randomOf } from '../builders/random-of.ts'
import { createRuns } from '../builders/runs.ts'
import type { Runs } from '../builders/runs.ts'
import { testMachine } from '../builders/world.ts'
import type { Subject } from './subject.ts'
import { watch } from './traffic.ts'
import type { Traffic } from './traffic.ts'

/** How the service is reached and how it reads what the document leaves open; who calls it has the settings that these readings ask for, and no others. */
export interface Variant {
  readonly title: string
  readonly http: boolean
  readonly readings: Partial<Readings>
}

export interface Place {
  readonly sandbox: Sandbox
  readonly clock: Clock
  readonly traffic: Traffic
  /** A person with a machine of their own, who knows what the document says. */
  person(document?: StateDocument): Runs
  close(): Promise<void>
}

// A real clock that runs faster, so that waiting for what is rightly absent takes no time worth naming.
const HTTP_SCALE = 40

/** `kinds` are the registry's unless others are given; what is for staff alone is walked by an operator. */
export async function createPlace(variant: Variant, { variables, staff }: Pick<Subject, 'variables' | 'staff'>, kinds?: readonly AnyKind[]): Promise<Place> {
  const clock = variant.http ? realClock(HTTP_SCALE) : virtualClock()
  const sandbox = createSandbox({ clock, profile: variant.http ? 'instant' : 'fast', readings: variant.readings })
  furnish(sandbox)
  sandbox.world.store.forgetPast()
  const server = variant.http ? await serveSandbox({ sandbox }) : undefined
  const way = server && socketTransport({ baseUrl: server.url })
  const traffic = watch(way?.transport ?? sandboxTransport(sandbox))
  let people = 0
  return {
    sandbox,
    clock,
    traffic,
    person(document) {
      people += 1
      const token = staff ? sandbox.operatorToken : sandbox.token
      return personOf({ clock, transport: traffic.transport, sandbox, token, seed: people, variables, kinds }, document)
    },
    async close() {
      await way?.close()
      await server?.close()
    },
  }
}

interface Around {
  readonly clock: Clock
  readonly transport: Transport
  readonly sandbox: Sandbox
  readonly token: string
  readonly seed: number
  readonly variables: Readonly<Record<string, string>>
  readonly kinds: readonly AnyKind[] | undefined
}

function personOf({ clock, transport, sandbox, token, seed, variables, kinds }: Around, document: StateDocument | undefined): Runs {
  const fileSystem = memoryFileSystem()
  if (document) fileSystem.put('/project/.iac/state.json', encodeDocument(document))
  const random = randomOf(seed)
  const compat = compatSchema.parse(compatFor(sandbox.world.readings))
  return createRuns({ clock, transport, token, fileSystem, compat, random, machine: testMachine(), variables, kinds })
}

/** What the examples name and no manifest makes: images, nodes of the workspace's own, a second factor. */
export function furnish({ world, workspaceId }: Sandbox): void {
  const { tables } = world
  tables.images.insert({ id: '100', name: 'own-debian', kind: 'TEMPLATE', osName: 'Debian 13' })
  tables.images.insert({ id: '101', name: 'own-backup', kind: 'BACKUP', osName: 'Debian 12' })
  for (const name of ['rack-1', 'rack-2'])
    tables.nodes.insert({ name, group: 'RYZEN', region: 'fra-1', maxMemoryBytes: 2 ** 40, cores: 64, flags: [], ownerWorkspaceId: workspaceId })
  for (const user of tables.users.all()) tables.users.update(user.id, { totp: { secret: 'JBSWY3DPEHPK3PXP', reset: 'reset', active: true } })
}
