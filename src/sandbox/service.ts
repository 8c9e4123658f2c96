// All areas as one service: a route without a handler does not compile.
import type { RouteName } from './served-routes.ts'
import { accountsArea } from './areas/accounts.ts'
import { appTemplatesArea } from './areas/app-templates.ts'
import { appsArea } from './areas/apps.ts'
import { bgpArea } from './areas/bgp.ts'
import { clusterArea } from './areas/cluster.ts'
import { clusterNodesArea } from './areas/cluster-nodes.ts'
import { clusterSecretsArea } from './areas/cluster-secrets.ts'
import { clusterServicesArea } from './areas/cluster-services.ts'
import { couponsArea } from './areas/coupons.ts'
import { dhcpArea } from './areas/dhcp.ts'
import { disksArea } from './areas/disks.ts'
import { dediboxIpsArea } from './areas/dedibox-ips.ts'
import { dediboxesArea } from './areas/dediboxes.ts'
import { estimatesArea } from './areas/estimates.ts'
import { firewallRulesArea } from './areas/firewall-rules.ts'
import { floatingIpsArea } from './areas/floating-ips.ts'
import { instancesArea } from './areas/instances.ts'
import { invitesArea } from './areas/invites.ts'
import { metricsArea } from './areas/metrics.ts'
import { plansAndNodesArea } from './areas/plans-and-nodes.ts'
import { pricesArea } from './areas/prices.ts'
import { recipesArea } from './areas/recipes.ts'
import { signInArea } from './areas/sign-in.ts'
import { sshKeysArea } from './areas/ssh-keys.ts'
import { subjectsArea } from './areas/subjects.ts'
import { tokensArea } from './areas/tokens.ts'
import { twoFactorArea } from './areas/two-factor.ts'
import { usageArea } from './areas/usage.ts'
import { vpcsArea } from './areas/vpcs.ts'
import { walletArea } from './areas/wallet.ts'
import { workflowsArea } from './areas/workflows.ts'
import { workspacesArea } from './areas/workspaces.ts'
import type { AnyHandler, Handlers } from './request/exchange.ts'
import type { Service } from './request/router.ts'

const areas = [
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
]

const handlers: Handlers<RouteName> = {
  ...tokensArea.handlers,
  ...signInArea.handlers,
  ...accountsArea.handlers,
  ...twoFactorArea.handlers,
  ...invitesArea.handlers,
  ...workspacesArea.handlers,
  ...vpcsArea.handlers,
  ...bgpArea.handlers,
  ...workflowsArea.handlers,
  ...plansAndNodesArea.handlers,
  ...clusterArea.handlers,
  ...clusterNodesArea.handlers,
  ...clusterSecretsArea.handlers,
  ...clusterServicesArea.handlers,
  ...firewallRulesArea.handlers,
  ...instancesArea.handlers,
  ...metricsArea.handlers,
  ...recipesArea.handlers,
  ...appTemplatesArea.handlers,
  ...appsArea.handlers,
  ...dediboxesArea.handlers,
  ...dediboxIpsArea.handlers,
  ...disksArea.handlers,
  ...sshKeysArea.handlers,
  ...floatingIpsArea.handlers,
  ...dhcpArea.handlers,
  ...estimatesArea.handlers,
  ...usageArea.handlers,
  ...walletArea.handlers,
  ...couponsArea.handlers,
  ...pricesArea.handlers,
  ...subjectsArea.handlers,
}

const byName: Readonly<Record<RouteName, AnyHandler>> = handlers

/** The service of the specification. */
export const service: Service = Object.freeze({
  handlerOf: (name: RouteName) => byName[name],
  rules: Object.freeze(areas.flatMap((one) => one.rules)),
  effects: Object.freeze(Object.fromEntries(areas.flatMap((one) => Object.entries(one.effects)))),
})
