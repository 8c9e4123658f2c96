// What the state remembers: the document, its resources, and the journal's entries that bring it up to date.
import type { JsonObject, JsonValue } from '../base/json.ts'

export type RecordStatus = 'creating' | 'ready' | 'failed' | 'deleting'

/** Where a value came from that is told by one answer, the making of its object, alone. */
export interface Origin {
  readonly address: string
  readonly id: string
  readonly output: string
}

/** A change that others are to be replaced after: the mark by which they wait for it, and a hash of the spec that it was to lead to. */
export interface Awaited {
  readonly mark: string
  readonly spec: string
}

/** An old half of a replacement, still to be deleted. */
export interface Deposed {
  readonly id: string
  readonly spec: JsonObject
  readonly depends_on: readonly string[]
  /** Absent of one that was complete. */
  readonly status?: Exclude<RecordStatus, 'ready'> | undefined
  /** While it may be the object again, as is all that follows. */
  readonly outputs?: JsonObject | undefined
  /** As of a resource; absent where there are none. */
  readonly origins?: ResourceRecord['origins'] | undefined
  readonly uncertain?: ResourceRecord['uncertain'] | undefined
  readonly restored?: ResourceRecord['restored']
  readonly blind?: ResourceRecord['blind']
  readonly restarts?: ResourceRecord['restarts']
  readonly triggered?: ResourceRecord['triggered']
  readonly awaited?: ResourceRecord['awaited']
}

/** A resource as recorded. In `spec` digests are tokens (src/base/token.ts); the file format writes them as {"$digest"}. */
export interface ResourceRecord {
  readonly address: string
  readonly kind: string
  readonly id: string
  readonly workspace_id: string | null
  readonly status: RecordStatus
  readonly spec: JsonObject
  readonly outputs: JsonObject
  readonly depends_on: readonly string[]
  readonly protected: boolean
  readonly on_remove: 'delete' | 'retain'
  readonly deposed: readonly Deposed[]
  readonly origins: Readonly<Record<string, Origin>>
  /** Fields whose last request has an unknown outcome, or an unknown effect: what live does not carry of them differs from everything, and none of them is taken to be changed by others. */
  readonly uncertain: readonly string[]
  /** Of the uncertain fields those that an earlier revision may have brought back: what live shows of one that nobody declares is of ours. */
  readonly restored?: readonly string[] | undefined
  /** Fields that cannot be read and that nobody has sent since the object was taken over: an update that clears them would do so unseen. */
  readonly blind?: readonly string[] | undefined
  /** What it was last (re)started with: hashes of its redeploy triggers, by their addresses. */
  readonly restarts?: Readonly<Record<string, string>> | undefined
  /** A replacement or a restart that a run set out to make after changes of others, and has not made: by the address of each the mark by which it was awaited. */
  readonly triggered?: Readonly<Record<string, string>> | undefined
  /** A run set out to change it, and to replace or restart others after that; gone with the first effect on it. */
  readonly awaited?: Awaited | undefined
}

/** When a generation was written, and by which command. */
export interface Written {
  readonly time: string // ISO 8601
  readonly command: string
}

export interface StateDocument {
  readonly format: 'iac-state/v1'
  readonly tool_version: string
  readonly lineage: string
  readonly serial: number
  /** Absent in what earlier versions wrote. */
  readonly written?: Written | undefined
  /** The place where the state lies now, as messages name it: this document only says so. */
  readonly moved_to?: string | undefined
  /** A move has brought this generation here and is not done: nobody goes on from it. */
  readonly moving?: true | undefined
  readonly salt: string
  readonly project: string
  readonly environment: string | null
  readonly resources: readonly ResourceRecord[]
  readonly outputs: Readonly<Record<string, { readonly value: JsonValue; readonly sensitive: boolean }>>
}

/** Intent of one effect, durable before its request leaves. What recovery records comes from here, never from a manifest. */
export interface Intent {
  readonly t: 'intent'
  readonly seq: number
  readonly address: string
  readonly kind: string
  readonly workspace_id: string | null
  readonly id: string | null // null for a create
  readonly half: 'current' | 'deposed' // which object of the address it is about
  readonly step: string
  readonly creates: boolean
  readonly removes: boolean
  /** Of what removes: how the object stood before, where it was not ready; it stands so again if its removal fails. */
  readonly status_before?: 'creating' | 'failed' | undefined
  /** Of a create whose object its owner alone sees: the user who sent it, as far as that was told. */
  readonly caller?: string | undefined
  readonly natural_key: string | null // of creates: every token in it filled in
  readonly body_hash: string
  readonly sets: JsonObject
  readonly clears: readonly string[]
  /** Fields of which nothing tells what they are once it is done, such as those of a revision that comes back. */
  readonly makes_uncertain?: readonly string[] | undefined
  /** Of a restart: what the object runs with once it is done. */
  readonly restarts?: Readonly<Record<string, string>> | undefined
  readonly depends_on: readonly string[]
  readonly protected: boolean
  readonly on_remove: 'delete' | 'retain'
  readonly origins: Readonly<Record<string, Origin>>
  readonly sent_at: number // the server's clock, ms
}

/** One line of the journal. */
export type Entry =
  | { readonly t: 'begin'; readonly run: string; readonly lineage: string; readonly serial: number; readonly tool_version: string; readonly salt: string }
  | { readonly t: 'restored'; readonly serial: number } // the document is this generation: it holds nothing of runs that began on it or later
  | { readonly t: 'seen'; readonly kind: string; readonly workspace_id: string | null; readonly ids: readonly string[]; readonly at?: number | undefined } // the server's clock, ms: not earlier
  | Intent
  | { readonly t: 'accepted'; readonly seq: number; readonly workflow_id: string | null; readonly id: string | null }
  | { readonly t: 'rejected'; readonly seq: number; readonly status: number; readonly reason: string }
  | { readonly t: 'repeated'; readonly seq: number } // lost, and carried out by sending it again: it may still arrive, and changes nothing then
  | { readonly t: 'failed'; readonly seq: number; readonly workflow_state: string } // uncertain: its fields may hold or not
  | { readonly t: 'closed'; readonly seq: number; readonly why: string } // known not to have happened: the way is free to send anew
  | { readonly t: 'adopted'; readonly seq: number; readonly id: string; readonly evidence: string }
  | { readonly t: 'done'; readonly seq: number; readonly id: string } // confirmed: recorded gains `sets`, loses `clears`; `makes_uncertain` is uncertain
  | { readonly t: 'record'; readonly resource: ResourceRecord } // the whole record as it now is
  | { readonly t: 'move'; readonly from: string; readonly to: string } // the resource with its old halves has another address
  | { readonly t: 'forget'; readonly address: string; readonly id: string } // the object is gone, or no longer ours

/** An effect that was begun and has no end yet. */
export interface OpenIntent {
  readonly intent: Intent
  readonly workflowId: string | null
  readonly accepted: boolean
}
