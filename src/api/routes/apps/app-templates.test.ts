// The bodies of app templates: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { appTemplates } from './app-templates.ts'

const port = { name: 'web', container_port: 80, protocol: 'TCP', http: true }
const template = { name: 't', description: 'd', image: 'registry:5000/app:1.2' }

describeBodies(appTemplates, {
  createAppTemplate: {
    takes: [template, { ...template, environment: [{ key: 'K', value: null, description: 'd' }], mounts: [{ any: 'thing' }], ports: [port] }],
    refuses: [
      { ...template, category: 'AI' },
      { ...template, image: 'registry:5000/app' },
      { ...template, ports: [port, { ...port, name: 'api' }] },
      { ...template, ports: [port, { ...port, http: false }] },
      { ...template, ports: [{ ...port, name: 'No Slug' }] },
    ],
  },
  updateAppTemplate: {
    takes: [
      { category: null },
      {
        ports: [
          { ...port, http: false },
          { ...port, name: 'api' },
        ],
      },
    ],
    refuses: [{ description: null }, { mounts: null }],
  },
})
