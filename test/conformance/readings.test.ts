// Every kind comes and goes however the service answers the document's open questions, one at a time.
import type { Readings } from '../../src/sandbox/assumptions.ts'
import { kindConformance } from './life.ts'

const readings: readonly Partial<Readings>[] = [
  { wrapper: 'workflow-top', workflowData: 'none' },
  { wrapper: 'resource-top', accepted: 200, created: 200 },
  { resourceInCreate: 'no' },
  { resourceInCreate: 'no', workflowData: 'id' },
  { resourceInCreate: 'no', workflowData: 'none', nameFilter: 'exact' },
  { openMethods: 'second', arrayQuery: 'none', overLimit: 'clamp', maxPageSize: 50 },
  { busyInstances: 'refuse-all', powerSame: 'refuse', startDefault: 'no' },
  { workspaceFlags: 'members', serviceItems: 'wrapped', firewallCounts: 'all', arrayQuery: 'comma' },
]

for (const one of readings)
  kindConformance(
    {
      title: Object.entries(one)
        .map((entry) => entry.join(' '))
        .join(', '),
      http: false,
      readings: one,
    },
    'short',
  )
