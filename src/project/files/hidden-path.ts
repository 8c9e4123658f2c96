// Which paths of a project are hidden: dot files, and whatever lies in dot folders.

/** Where Kubernetes puts the files of a mounted volume; the names that people know are links into it. */
const mountedFolder = /^\.\.\d{4}(?:_\d\d){5}\.\d+$/

/** Whether a path, relative and with `/` or the system's separator, names a dot file or leads through a dot folder. */
export function isHiddenPath(path: string): boolean {
  return namesOf(path).some(isHiddenName)
}

/** Whether links lead from a path as it is written, relative to a folder, to one that is hidden where what is written is not. */
export function isLinkedHidden(written: string, real: string): boolean {
  const [before, names] = [namesOf(written), namesOf(real)]
  const shared = names.findIndex((name, at) => name !== before[at])
  if (shared < 0) return false
  return names.slice(shared).some((name, at) => isHiddenName(name) && !(at + shared === 0 && mountedFolder.test(name)))
}

function namesOf(path: string): readonly string[] {
  return path.split(/[\\/]/)
}

function isHiddenName(name: string): boolean {
  return name.startsWith('.') && name !== '.' && name !== '..'
}
