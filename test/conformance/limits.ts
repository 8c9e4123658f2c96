// What single kinds cannot do, each with its reason; everything else is walked by the marks alone.

/** Fields without a change of their own in the examples. */
export const changeless: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Instance: { type: 'another type needs other fields; its examples hold both' },
  BgpPrefix: { source: 'the document names one source' },
}

/** Fields that make no sense without another one, and leave together with it. */
export const inseparable: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  FirewallRule: { port_start: ['port_end'] },
}
