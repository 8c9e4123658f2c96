// A resource whose fields read what others only may change: it is not made anew for that.
import { diagnostic } from '../../../base/diagnostic.ts'
import { pathOf } from '../../../base/pointer.ts'
import type { Declared, Resolved, Scope } from '../../../project/resolving/declared.ts'
import type { Planned } from '../../model/planned-resource.ts'
import { decideDeclared } from './decide.ts'
import type { Deciding } from './decide.ts'

/**
 * What becomes of a declared resource. A field that would replace it for an output that this plan may change goes by what that is now, and once it did
 * change, the next plan shows the replacement with its value; its other fields wait for the output as everything does.
 */
export function decideSurely(deciding: Deciding, planned: ReadonlyMap<string, Planned>, declared: Declared, previous: string | null): Planned {
  const one = decideDeclared(deciding, planned, declared, previous)
  if (one.action !== 'replace' || deciding.others.altered.size === 0) return one
  const others = { ...deciding.others, altered: new Set<string>() }
  const now = decideDeclared({ ...deciding, others }, planned, declared, previous)
  if (now.action === 'replace') return one
  const forcing = new Set(one.differences.flatMap(({ field, effect }) => (effect === 'replace' ? [field] : [])))
  const kept = { ...declared, resolve: (scope: Scope) => mixed(declared.resolve(scope), now.resolved, forcing) }
  const decided = decideDeclared(deciding, planned, kept, previous)
  return noted(decided.action === 'replace' ? now : { ...decided, declared }, [...forcing])
}

/** A resolved spec with some fields as another has them. */
function mixed(one: Resolved, other: Resolved | undefined, fields: ReadonlySet<string>): Resolved {
  if (!other) return one
  const isOf = (pointer: string): boolean => fields.has(pathOf(pointer)[0] ?? '')
  const entries = Object.entries(one.spec).filter(([field]) => !fields.has(field))
  const unresolved = Object.entries(one.unresolved).filter(([pointer]) => !isOf(pointer))
  return {
    spec: Object.fromEntries([...entries, ...Object.entries(other.spec).filter(([field]) => fields.has(field))]),
    unresolved: Object.fromEntries([...unresolved, ...Object.entries(other.unresolved).filter(([pointer]) => isOf(pointer))]),
    secrets: new Map([...one.secrets, ...other.secrets]),
    problems: one.problems,
  }
}

function noted(one: Planned, fields: readonly string[]): Planned {
  const text = `${one.address}: ${fields.join(', ')} goes by what others show now; where this apply changes that, the next plan replaces it`
  const position = one.declared?.positionOf(`/${fields[0] ?? ''}`)
  return { ...one, diagnostics: [...one.diagnostics, diagnostic('note', text, { address: one.address, position })] }
}
