// A text as one word of a command line that somebody may copy into a shell.

/** As it stands where it is plain, else in quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A path as one such word, which no command takes for a flag. */
export function pathWord(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path)
}
