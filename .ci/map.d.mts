/** What to do where the list does not name each of the folders, or another one than those that hold such folders. */
export function mistakesIn(root: string, listed: readonly string[], folders: readonly string[]): string[]
/** A page's text with its map made anew; ends the program where the tables do not go with the folders. */
export function withMap(page: string): Promise<string>
