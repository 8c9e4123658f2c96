// What keeps a release from being made, as whoever asked for it is told.
export class Refused extends Error {}
