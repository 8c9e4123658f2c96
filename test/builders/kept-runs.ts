// What is kept of runs that found nothing to change, altered so that a run that is told again shows itself.
import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text that no plan has. */
export const TOLD = 'told again\n'

/** The files in the cache of a home folder. */
export function keptRuns(home: string): readonly string[] {
  const folder = join(home, '.cache/iac/unchanged')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

/** Has whatever is kept for a caller print `TOLD`, as its own program would have written it. */
export function markKept(home: string, token: string): void {
  for (const path of keptRuns(home)) {
    const [head = '', body = ''] = readFileSync(path, 'utf8').split('\n')
    const words = head.split(' ')
    const marked = JSON.stringify({ ...JSON.parse(body), printed: [['stdout', TOLD]] })
    words[4] = createHmac('sha256', `${words[3]} ${token}`).update(marked).digest('hex')
    writeFileSync(path, `${words.join(' ')}\n${marked}`)
  }
}
