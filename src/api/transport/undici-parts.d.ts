// A part of undici by its own file: its index loads all of it, which takes a new process 20 ms more.
declare module 'undici/lib/web/fetch/constants.js' {
  export const badPortsSet: ReadonlySet<string>
}
