// The head of the page: selects of tenants and workspaces, and what there is to see at a glance.
import type * as z from 'zod/mini'
import { walletOf } from '../model/money-view.ts'
import { countText } from '../model/plain-text.ts'
import { tenantsView } from '../view-wire.ts'
import { choiceNow, choose } from './choice.ts'
import { byId, el, keep, say } from './elements.ts'
import type { Part, Screen } from './screen.ts'
import { ask } from './service.ts'

type Tenants = z.output<typeof tenantsView>['tenants']

interface Option {
  readonly id: string
  readonly name: string
}

/** Draws the head; `changed` is called when another tenant was chosen. */
export function headPart(screen: Screen, changed: () => void): Part {
  const tenant = byId('tenant', HTMLSelectElement)
  const workspace = byId('workspace', HTMLSelectElement)
  let tenants: Tenants = []
  let known: number | undefined = 0
  tenant.addEventListener('change', () => {
    choose({ tenant: tenant.value, workspace: '' })
    changed()
  })
  workspace.addEventListener('change', () => {
    choose({ tenant: choiceNow().tenant, workspace: workspace.value })
    screen.draw()
  })
  /** The list is asked for when tenants came or went, and again where that did not work. */
  async function list(changes: number): Promise<void> {
    known = changes
    try {
      const answer = tenantsView.parse(await ask('GET', '/tenants'))
      tenants = answer.tenants
      screen.draw()
    } catch {
      known = undefined
    }
  }
  return {
    draw({ model, workspace: chosen }) {
      if (model.tenantChanges !== known) void list(model.tenantChanges)
      const here = choiceNow().tenant
      const others = here === '' || tenants.some((one) => one.id === here) ? tenants : [{ id: here }, ...tenants]
      document.title = here === '' ? 'iac sandbox' : `${here} · iac sandbox`
      tenant.parentElement?.toggleAttribute('hidden', others.length === 0)
      fillSelect(tenant, [{ id: '', name: 'no tenant' }, ...others.map(({ id }) => ({ id, name: id }))], here)
      fillSelect(workspace, [...model.rows.workspaces.values()], chosen)
      const wallet = walletOf(model, chosen)
      const faults = model.faults.length + model.presets.filter((one) => one.on).length
      const words = [wallet ? `${wallet.facts[0]?.[1] ?? ''} an hour` : '', faults === 0 ? '' : `${countText(faults, 'fault')} on`]
      say(byId('glance', HTMLElement), words.filter((word) => word !== '').join(' · '))
    },
  }
}

function fillSelect(select: HTMLSelectElement, options: readonly Option[], chosen: string): void {
  keep(
    select,
    options.map(({ id, name }) => ({ id, name })),
    {
      key: (one) => one.id,
      make: (one) => el('option', { value: one.id }),
      fill: (element, one) => say(element, one.name),
    },
  )
  select.value = chosen
}
