// A change of a plan as tests of the graph and the schedule need it: what they do not name is as in a plan of one create.
import type { Change } from '../../src/engine/model/plan-data.ts'

/** The change with what is named; a create of something new unless said otherwise. */
export function changeFor(named: Pick<Change, 'address' | 'kind'> & Partial<Change>): Change {
  return {
    workspace_id: '1',
    workspace_address: null,
    id: null,
    action: 'create',
    reason: 'new',
    before: null,
    after: null,
    after_unknown: [],
    unresolved: {},
    digests: {},
    patch: [],
    replace_paths: [],
    create_before_destroy: false,
    disruption: 'none',
    steps: [named.action ?? 'create'],
    requires: [],
    depends_on: [],
    group: null,
    rank: 0,
    restart_on: [],
    timeouts: { create: 1, update: 1, delete: 1 },
    previous_address: null,
    protected: false,
    on_remove: 'delete',
    fingerprint: null,
    deposed: false,
    ...named,
  }
}
