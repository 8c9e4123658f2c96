// All areas as one service: a route that none of them handles does not compile.
import { accountsArea } from './areas/accounts/accounts.ts'
import { invitesArea } from './areas/accounts/invites.ts'
import { signInArea } from './areas/accounts/sign-in.ts'
import { tokensArea } from './areas/accounts/tokens.ts'
import { twoFactorArea } from './areas/accounts/two-factor.ts'
import { workspacesArea } from './areas/accounts/workspaces.ts'
import { appTemplatesArea } from './areas/apps/app-templates.ts'
import { appsArea } from './areas/apps/apps.ts'
import { couponsArea } from './areas/billing/coupons.ts'
import { estimatesArea } from './areas/billing/estimates.ts'
import { pricesArea } from './areas/billing/prices.ts'
import { subjectsArea } from './areas/billing/subjects.ts'
import { usageArea } from './areas/billing/usage.ts'
import { walletArea } from './areas/billing/wallet.ts'
import { clusterNodesArea } from './areas/cluster/cluster-nodes.ts'
import { clusterSecretsArea } from './areas/cluster/cluster-secrets.ts'
import { clusterServicesArea } from './areas/cluster/cluster-services.ts'
import { clusterArea } from './areas/cluster/cluster.ts'
import { dediboxIpsArea } from './areas/machines/dedibox-ips.ts'
import { dediboxesArea } from './areas/machines/dediboxes.ts'
import { disksArea } from './areas/machines/disks.ts'
import { instancesArea } from './areas/machines/instances.ts'
import { metricsArea } from './areas/machines/metrics.ts'
import { plansAndNodesArea } from './areas/machines/plans-and-nodes.ts'
import { recipesArea } from './areas/machines/recipes.ts'
import { sshKeysArea } from './areas/machines/ssh-keys.ts'
import { bgpArea } from './areas/network/bgp.ts'
import { dhcpArea } from './areas/network/dhcp.ts'
import { firewallRulesArea } from './areas/network/firewall-rules.ts'
import { floatingIpsArea } from './areas/network/floating-ips.ts'
import { vpcsArea } from './areas/network/vpcs.ts'
import { workflowsArea } from './areas/workflows.ts'
import type { Area } from './request/area.ts'
import type { AnyHandler } from './request/exchange.ts'
import { found } from './request/refusal.ts'
import type { Service } from './request/router.ts'
import type { RouteName } from './served-routes.ts'
import { earlier } from './time/earlier.ts'
import type { World } from './world.ts'

type NamesOf<A> = A extends Area<infer N> ? N : never

/** Nothing where the areas handle every route; else a member that no list of areas has, so that it does not compile. */
type Complete<A> = [Exclude<RouteName, NamesOf<A>>] extends [never] ? unknown : { readonly unhandled: Exclude<RouteName, NamesOf<A>> }

interface AnyArea extends Pick<Area<never>, 'rules' | 'effects' | 'nextMs'> {
  readonly handlers: Readonly<Partial<Record<RouteName, AnyHandler>>>
}

/** The service of the specification. */
export const service: Service = serviceOf([
  tokensArea,
  signInArea,
  accountsArea,
  twoFactorArea,
  invitesArea,
  workspacesArea,
  vpcsArea,
  bgpArea,
  workflowsArea,
  plansAndNodesArea,
  clusterArea,
  clusterNodesArea,
  clusterSecretsArea,
  clusterServicesArea,
  firewallRulesArea,
  instancesArea,
  metricsArea,
  recipesArea,
  appTemplatesArea,
  appsArea,
  dediboxesArea,
  dediboxIpsArea,
  disksArea,
  sshKeysArea,
  floatingIpsArea,
  dhcpArea,
  estimatesArea,
  usageArea,
  walletArea,
  couponsArea,
  pricesArea,
  subjectsArea,
])

function serviceOf<const A extends readonly AnyArea[]>(areas: A & Complete<A[number]>): Service {
  const handlers = new Map<string, AnyHandler>(areas.flatMap((one) => Object.entries(one.handlers)))
  return Object.freeze({
    handlerOf: (name: RouteName) => found(handlers.get(name), name),
    rules: Object.freeze(areas.flatMap((one) => one.rules)),
    effects: Object.freeze(Object.fromEntries(areas.flatMap((one) => Object.entries(one.effects)))),
    nextMs: (world: World) => areas.map((one) => one.nextMs(world)).reduce(earlier, undefined),
  })
}
