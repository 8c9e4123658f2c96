// Regular expressions in RE2's syntax, matched in time linear in the text: no pattern can hang.
import { parsePattern } from './pattern-syntax.ts'
import type { Assertion, PatternTree, Test } from './pattern-syntax.ts'

/** One state of the machine: a character, a fork, or an assertion about the place. */
type State =
  | { readonly op: 'char'; readonly test: Test; readonly next: number }
  | { readonly op: 'fork'; next: number; other: number }
  | { readonly op: 'assert'; readonly holds: Assertion; readonly next: number }
  | { readonly op: 'match' }

/** What a pattern is compiled into. */
interface Machine {
  readonly states: State[]
  add(state: State): number
  spend(steps: number): void
}

const maxStates = 10_000
const visitsPerStep = 4
const testsPerStep = 32

/** Whether the pattern matches anywhere in the text; throws a SyntaxError for what RE2 does not know. `spend` is told the work done. */
export function matchesPattern(text: string, pattern: string, spend: (steps: number) => void): boolean {
  const states = compilePattern(pattern, spend)
  const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  // A class asks each of its items once for each different character.
  spend((pattern.length * new Set(characters).size) / testsPerStep)
  let current = new Set<number>()
  for (let position = 0; position <= characters.length; position += 1) {
    const [before, after] = [characters[position - 1], characters[position]]
    if (closure(states, current, before, after)) return true
    spend(1 + current.size / visitsPerStep)
    const following = new Set<number>()
    for (const index of current) {
      const state = states[index]
      if (state?.op === 'char' && after !== undefined && state.test(after)) following.add(state.next)
    }
    current = following
  }
  return false
}

/** Adds what is reachable without reading, the start included; true when a match is. */
function closure(states: readonly State[], current: Set<number>, before: number | undefined, after: number | undefined): boolean {
  const open = [...current, 0]
  current.clear()
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const state = states[index]
    if (!state || current.has(index)) continue
    if (state.op === 'match') return true
    current.add(index)
    if (state.op === 'fork') open.push(state.next, state.other)
    if (state.op === 'assert' && state.holds(before, after)) open.push(state.next)
  }
  return false
}

function compilePattern(pattern: string, spend: (steps: number) => void): readonly State[] {
  const states: State[] = []
  const add = (state: State): number => {
    if (states.length >= maxStates) throw new SyntaxError('the pattern is too large')
    return states.push(state) - 1
  }
  spend(pattern.length)
  emit(parsePattern(pattern), { states, add, spend })
  add({ op: 'match' })
  return states
}

/** Appends the states of a part; what follows it begins at the next index. */
function emit(tree: PatternTree, machine: Machine): void {
  const { states, add } = machine
  machine.spend(1)
  switch (tree.op) {
    case 'char':
      add({ op: 'char', test: tree.test, next: states.length + 1 })
      return
    case 'assert':
      add({ op: 'assert', holds: tree.holds, next: states.length + 1 })
      return
    case 'sequence':
      for (const part of tree.parts) emit(part, machine)
      return
    case 'choice':
      emitChoice(tree.parts, machine)
      return
    case 'repeat':
      emitTimes(tree.part, tree.least, machine)
      if (tree.most === Infinity) emitLoop(tree.part, machine)
      else for (let count = tree.least; count < tree.most; count += 1) emitOptional(tree.part, machine)
  }
}

/** What needs no state needs none however often it stands there: repetitions of nothing, nested, would never end. */
function emitTimes(part: PatternTree, times: number, machine: Machine): void {
  const { states } = machine
  for (let count = 0; count < times; count += 1) {
    const before = states.length
    emit(part, machine)
    if (states.length === before) return
  }
}

function emitChoice(parts: readonly PatternTree[], machine: Machine): void {
  const { states, add } = machine
  const exits: number[] = []
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1
    const fork = last ? undefined : add({ op: 'fork', next: states.length + 1, other: 0 })
    emit(part, machine)
    if (!last) exits.push(add({ op: 'fork', next: 0, other: 0 }))
    link(states, fork, states.length, 'other')
  }
  for (const exit of exits) {
    link(states, exit, states.length, 'next')
    link(states, exit, states.length, 'other')
  }
}

function emitLoop(part: PatternTree, machine: Machine): void {
  const { states, add } = machine
  const fork = add({ op: 'fork', next: states.length + 1, other: 0 })
  emit(part, machine)
  add({ op: 'fork', next: fork, other: fork })
  link(states, fork, states.length, 'other')
}

function emitOptional(part: PatternTree, machine: Machine): void {
  const { states, add } = machine
  const fork = add({ op: 'fork', next: states.length + 1, other: 0 })
  emit(part, machine)
  link(states, fork, states.length, 'other')
}

function link(states: readonly State[], index: number | undefined, target: number, side: 'next' | 'other'): void {
  const state = index === undefined ? undefined : states[index]
  if (state?.op === 'fork') state[side] = target
}
