// `plan --needs`: the smallest token that carries a plan out, as a manifest, or the calls behind it.
import type { NeededCall } from '../../engine/plan/calls-needed.ts'
import { leastGrants, neededCalls } from '../../engine/plan/calls-needed.ts'
import type { Prepared } from '../../engine/plan/prepared-plan.ts'
import { tokenKind } from '../../kinds/registry.ts'
import type { Context } from '../context/context.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { safeText } from '../render/text/sanitise.ts'
import { manifestText } from './manifest-text.ts'

const ranks = ['VIEWER', 'EDITOR', 'ADMINISTRATOR', 'OWNER']

/** Prints what a plan needs of its caller. */
export function showNeeds(context: Context, { planned, plan, asked }: Prepared): void {
  const calls = neededCalls(planned, asked)
  const document: MachineDocument<'needs'> = calls.map((one) => ({ ...one }))
  if (context.globals.switch('json')) context.print.json(document)
  else context.print.result(safeText(`${wordsOf(calls)}${manifestText(tokenManifest(calls, plan.project))}`))
}

/** Comments over the manifest: what no token gives. */
function wordsOf(calls: readonly NeededCall[]): string {
  const highest = ranks[Math.max(-1, ...calls.map((one) => ranks.indexOf(one.role ?? '')))]
  const sessions = calls.filter((one) => one.session).map((one) => `${one.method} ${one.path}`)
  return [
    `# ${calls.length} calls, ${calls.filter((one) => one.effect).length} of them change something.`,
    ...(highest === undefined ? [] : [`# Whoever makes the token has the role ${highest} in the workspace, or more.`]),
    ...(sessions.length === 0 ? [] : ['# No token allows these, only a login session (iac login):', ...sessions.map((one) => `#   ${one}`)]),
    '',
  ].join('\n')
}

function tokenManifest(calls: readonly NeededCall[], project: string) {
  const name = `iac-${project}`.slice(0, 48)
  // What has no role in a workspace is asked of the person.
  const subject = calls.some((one) => one.effect && one.role === null && !one.session) ? 'USER' : 'WORKSPACE'
  return {
    apiVersion: 'iac/v1',
    kind: tokenKind,
    metadata: { name: 'iac', ...(subject === 'USER' ? { workspace: null } : {}) },
    spec: { name, grants: { ...leastGrants(calls) }, lifetime: '90d', rotate_before: '14d', subject, write_code_to: { file: 'secrets/iac.token' } },
  }
}
