// Every endpoint row of the API document, by name: what client, sandbox, OpenAPI document and coverage table are made from.
import { account } from './accounts/account.ts'
import { invites } from './accounts/invites.ts'
import { tokens } from './accounts/tokens.ts'
import { workspaces } from './accounts/workspaces.ts'
import { appTemplates } from './apps/app-templates.ts'
import { apps } from './apps/apps.ts'
import { billing } from './billing/billing.ts'
import { coupons } from './billing/coupons.ts'
import { prices } from './billing/prices.ts'
import { wallet } from './billing/wallet.ts'
import { clusterServices } from './cluster/cluster-services.ts'
import { managedCluster } from './cluster/managed-cluster.ts'
import { dediboxes } from './machines/dediboxes.ts'
import { disks } from './machines/disks.ts'
import { instances } from './machines/instances.ts'
import { plansAndNodes } from './machines/plans-and-nodes.ts'
import { recipes } from './machines/recipes.ts'
import { sshKeys } from './machines/ssh-keys.ts'
import { bgp } from './network/bgp.ts'
import { dhcp } from './network/dhcp.ts'
import { firewallRules } from './network/firewall-rules.ts'
import { floatingIps } from './network/floating-ips.ts'
import { vpcs } from './network/vpcs.ts'
import type { Route } from './route.ts'
import { workflows } from './workflows.ts'

/** The rows of the tables under "Endpoints", in the order of its sections; no two share a name. */
export const routes = Object.freeze({
  ...tokens,
  ...account,
  ...workspaces,
  ...invites,
  ...instances,
  ...disks,
  ...sshKeys,
  ...floatingIps,
  ...dhcp,
  ...firewallRules,
  ...vpcs,
  ...bgp,
  ...recipes,
  ...appTemplates,
  ...apps,
  ...dediboxes,
  ...workflows,
  ...plansAndNodes,
  ...managedCluster,
  ...clusterServices,
  ...billing,
  ...wallet,
  ...coupons,
  ...prices,
}) satisfies Readonly<Record<string, Route>>

export type RouteName = keyof typeof routes
