// The bodies of deployments of apps: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { apps } from './apps.ts'

describeBodies(apps, {
  deployApp: {
    takes: [{ template_id: '9007199254740993', name: 'a', environment: { A: 'x', B: null }, mounts: [{ any: 1 }], domain: 'a.example.org' }],
    refuses: [{ template_id: 12, name: 'a' }, { template_id: '12' }, { template_id: '12', name: 'a', environment: { A: 1 } }],
  },
  checkAppDomain: {
    takes: [{ domain: 'a.example.org' }],
    refuses: [{}, { domain: '' }],
  },
})
