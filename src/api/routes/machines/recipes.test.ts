// The bodies of recipes: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { recipes } from './recipes.ts'

const recipe = { name: 'r', category: 'TOOLS', description: 'd', commands: [{ path: '/opt/run.sh', args: ['$SVC_FIELDS_A'] }] }

describeBodies(recipes, {
  createRecipe: {
    takes: [{ ...recipe, icon: null }],
    refuses: [
      { ...recipe, commands: undefined },
      { ...recipe, category: 'OTHER' },
    ],
  },
  createWorkspaceRecipe: {
    takes: [{ ...recipe, icon: 'https://example.org/i.png', fields: [{ id: 'a', label: 'A', description: 'd', type: 'PASSWORD', required: true }] }],
    refuses: [
      { ...recipe, commands: [{ path: 'run.sh', args: [] }] },
      { ...recipe, fields: [{ id: 'a', label: 'A', type: 'DATE' }] },
    ],
  },
  updateRecipe: {
    takes: [{ commands: [] }],
    refuses: [{ owner: '1' }],
  },
})
