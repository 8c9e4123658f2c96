// What of a change was sent: members that are not there leave what there was.

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without the members that are undefined. */
export function defined<T extends object>(value: T): Defined<T>
export function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
