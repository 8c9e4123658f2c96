// Every endpoint row of the API document, by name: what client, sandbox, OpenAPI document and coverage table are made from.
import { account } from './account.ts'
import { appTemplates } from './app-templates.ts'
import { apps } from './apps.ts'
import { bgp } from './bgp.ts'
import { billing } from './billing.ts'
import { clusterServices } from './cluster-services.ts'
import { coupons } from './coupons.ts'
import { dediboxes } from './dediboxes.ts'
import { dhcp } from './dhcp.ts'
import { disks } from './disks.ts'
import { firewallRules } from './firewall-rules.ts'
import { floatingIps } from './floating-ips.ts'
import { instances } from './instances.ts'
import { invites } from './invites.ts'
import { managedCluster } from './managed-cluster.ts'
import { plansAndNodes } from './plans-and-nodes.ts'
import { prices } from './prices.ts'
import { recipes } from './recipes.ts'
import type { Route } from './route.ts'
import { sshKeys } from './ssh-keys.ts'
import { tokens } from './tokens.ts'
import { vpcs } from './vpcs.ts'
import { wallet } from './wallet.ts'
import { workflows } from './workflows.ts'
import { workspaces } from './workspaces.ts'

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
