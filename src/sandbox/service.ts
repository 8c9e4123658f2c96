// All areas as one service: every route has a handler in an area or stands in the list of what is not built yet.
import type { RouteName } from '../api/routes/routes.ts'
import { bgpArea } from './areas/bgp.ts'
import { clusterArea } from './areas/cluster.ts'
import { clusterNodesArea } from './areas/cluster-nodes.ts'
import { clusterSecretsArea } from './areas/cluster-secrets.ts'
import { clusterServicesArea } from './areas/cluster-services.ts'
import { firewallRulesArea } from './areas/firewall-rules.ts'
import { instancesArea } from './areas/instances.ts'
import { metricsArea } from './areas/metrics.ts'
import { plansAndNodesArea } from './areas/plans-and-nodes.ts'
import { signInArea } from './areas/sign-in.ts'
import { tokensArea } from './areas/tokens.ts'
import { vpcsArea } from './areas/vpcs.ts'
import { workflowsArea } from './areas/workflows.ts'
import { workspacesArea } from './areas/workspaces.ts'
import type { AnyHandler, Handlers } from './exchange.ts'
import type { NotYet } from './not-yet.ts'
import type { Service } from './router.ts'

const areas = [
  tokensArea,
  signInArea,
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
]

const handlers: Handlers<Exclude<RouteName, NotYet>> = {
  ...tokensArea.handlers,
  ...signInArea.handlers,
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
}

const byName: Partial<Record<RouteName, AnyHandler>> = handlers

/** The service of the specification, as far as it is built. */
export const service: Service = Object.freeze({
  handlerOf: (name: RouteName) => byName[name],
  rules: Object.freeze(areas.flatMap((one) => one.rules)),
  effects: Object.freeze(Object.fromEntries(areas.flatMap((one) => Object.entries(one.effects)))),
})
