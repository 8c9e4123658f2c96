// The list of kinds; schemas/reference/architecture.md tells what a new one needs beside its line here.
import { ApiToken } from './api-token.ts'
import { AppDomain } from './app-domain.ts'
import { AppTemplate } from './app-template.ts'
import { App } from './app.ts'
import { BgpConfiguration } from './bgp-configuration.ts'
import { BgpPrefix } from './bgp-prefix.ts'
import { Coupon } from './coupon.ts'
import { DediboxIp } from './dedibox-ip.ts'
import { Dedibox } from './dedibox.ts'
import type { AnyKind } from './definition/kind.ts'
import { DhcpSettings } from './dhcp-settings.ts'
import { Disk } from './disk.ts'
import { FirewallRule } from './firewall-rule.ts'
import { FloatingIp } from './floating-ip.ts'
import { Instance } from './instance.ts'
import { K3sCluster } from './k3s-cluster.ts'
import { K3sNode } from './k3s-node.ts'
import { K3sSecret } from './k3s-secret.ts'
import { K3sService } from './k3s-service.ts'
import { Node } from './node.ts'
import { Plan } from './plan.ts'
import { Price } from './price.ts'
import { Recipe } from './recipe.ts'
import { SshKey } from './ssh-key.ts'
import { UserProfile } from './user-profile.ts'
import { VpcAttachment } from './vpc-attachment.ts'
import { Vpc } from './vpc.ts'
import { WorkspaceInvite } from './workspace-invite.ts'
import { Workspace } from './workspace.ts'

/** Every kind, in the order of the documents. */
export const kinds: readonly AnyKind[] = Object.freeze([
  Workspace,
  WorkspaceInvite,
  ApiToken,
  SshKey,
  Instance,
  Disk,
  Vpc,
  VpcAttachment,
  FirewallRule,
  FloatingIp,
  DhcpSettings,
  BgpConfiguration,
  BgpPrefix,
  Recipe,
  AppTemplate,
  App,
  Dedibox,
  DediboxIp,
  K3sCluster,
  K3sNode,
  K3sSecret,
  K3sService,
  Coupon,
  Price,
  UserProfile,
  Plan,
  Node,
  AppDomain,
])

/** The kind whose manifests `metadata.workspace` names. */
export const workspaceKind = 'Workspace'

/** The name of the kind of API tokens. */
export const tokenKind = 'ApiToken'
