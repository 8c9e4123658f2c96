// Matches paths against patterns with * (within a name), ** (any folders) and ? (one character), in linear time per name.

/** Whether a path relative to the project, with `/` between names, fits a pattern. */
export function matchesGlob(pattern: string, path: string): boolean {
  return matchSteps(namesOf(pattern), path.split('/'), '**', matchesName)
}

/** Whether anything below a folder could fit a pattern. */
export function matchesBelow(pattern: string, folder: string): boolean {
  const wanted = namesOf(pattern)
  const names = folder.split('/')
  for (const [at, name] of names.entries()) {
    const one = wanted[at]
    if (one === '**') return true
    if (one === undefined || at === wanted.length - 1 || !matchesName(one, name)) return false
  }
  return true
}

/** Why a pattern is not accepted, undefined for a good one. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern === '') return 'the pattern is empty'
  if (pattern.startsWith('/') || pattern.includes('\\') || /^[A-Za-z]+:/.test(pattern)) return 'a pattern is relative to the project and has / between names'
  return pattern.split('/').includes('..') ? 'a pattern cannot lead out of the project' : undefined
}

function namesOf(pattern: string): string[] {
  return pattern.split('/').filter((name) => name !== '' && name !== '.')
}

function matchesName(pattern: string, name: string): boolean {
  return matchSteps(Array.from(pattern.replaceAll(/\*+/g, '*')), Array.from(name), '*', (one, character) => one === '?' || one === character)
}

/** Greedy with one step back: the last star alone needs to give way. */
function matchSteps(wanted: readonly string[], given: readonly string[], star: string, fits: (one: string, step: string) => boolean): boolean {
  let at = 0
  let starAt = -1
  let resume = 0
  for (let step = 0; step < given.length;) {
    const one = wanted[at]
    const current = given[step] ?? ''
    if (one === star) {
      starAt = at
      resume = step
      at += 1
    } else if (one !== undefined && fits(one, current)) {
      at += 1
      step += 1
    } else if (starAt >= 0) {
      at = starAt + 1
      resume += 1
      step = resume
    } else return false
  }
  return wanted.slice(at).every((one) => one === star)
}
