// What a run read of its environment: which variables, so that the next one looks at just those.
import type { Surroundings } from '../surroundings/surroundings.ts'

type Environment = Surroundings['environment']

/** Names that were asked for, and whether it was asked which there are. */
export interface SeenVariables {
  readonly names: readonly string[]
  readonly all: boolean
}

/** Whoever asks which variables there are looks for those of a project alone. */
const OWN = /^IAC_/

/** An environment that notes what is read of it. */
export function notingEnvironment(environment: Environment): { readonly environment: Environment; readonly seen: () => SeenVariables } {
  const names = new Set<string>()
  let all = false
  const noted = new Proxy(environment, {
    get(target, name: string) {
      names.add(name)
      return target[name]
    },
    has(target, name: string) {
      names.add(name)
      return name in target
    },
    getOwnPropertyDescriptor(target, name) {
      // Asked for by whoever lists names, and for all of them.
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys(target) {
      all = true
      return Reflect.ownKeys(target)
    },
  })
  return { environment: noted, seen: () => ({ names: [...names].toSorted(), all }) }
}

/** What an environment holds of what was read; what it lists is told of in its order. */
export function variablesNow(environment: Environment, { names, all }: SeenVariables): string {
  const listed = all ? Object.keys(environment).filter((name) => OWN.test(name)) : []
  return JSON.stringify([listed, names.map((name) => [name, environment[name] ?? null])])
}
