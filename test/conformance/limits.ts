// What single kinds cannot do, each with its reason; everything else is walked by the marks alone.
import type { JsonValue } from '../../src/base/json.ts'

/** Fields without a change of their own in the examples. */
export const changeless: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Instance: { type: 'another type needs other fields; its examples hold both' },
  BgpPrefix: { source: 'the document names one source' },
  ApiToken: { subject: 'another one needs other fields, or stands in no workspace' },
  DediboxIp: { type: 'an address of another family is another address' },
}

/** Fields that make no sense without another one, and leave together with it. */
export const inseparable: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  FirewallRule: { port_start: ['port_end'] },
  AppTemplate: { ports: ['environment'] },
}

/** Values, as JSON, that the API may be told in another word. */
export const spoken: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  Instance: { power: { '"ON"': 'POWER_ON', '"OFF"': 'POWER_OFF' }, start: { true: 'POWER_ON' } },
}

/** What a new object is without being told, and does not show under the field's name. */
export const inborn: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {
  Workspace: { mfa_required: false }, // a flag that is not there
}

/** Fields that may change and that no answer carries. */
export const unseen: Readonly<Record<string, readonly string[]>> = {
  K3sSecret: ['data'],
  K3sService: ['environment'],
}

/** Fields that only grow: nothing takes a change of theirs back. */
export const growing: Readonly<Record<string, readonly string[]>> = {
  Disk: ['size'],
}

/** Fields that go over the wire in another form, or not at all. */
export const unsent: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ApiToken: { lifetime: 'it is sent as the instant at which it ends', write_code_to: 'it is a file of the project' },
}

/** Examples that hold a date: they are walked where the clock is ours. */
export const dated: readonly string[] = ['ApiToken: A token for one instance, until an instant 7 to 365 days ahead']
