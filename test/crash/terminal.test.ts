// A person's terminal and a pipe: the live frame at 80 × 24, what ^C leaves behind, and not one control byte elsewhere.
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { stateOf } from './checks.ts'
import { allCreated, countOf, createFleet, finishMaking, pause, problemsAfterRerun, until } from './fleet.ts'
import { program, start } from './program.ts'
import { createScreen } from './screen.ts'
import type { World } from './world.ts'

const COUNT = 30
const [COLUMNS, ROWS] = [80, 24]
/** A process on a terminal of its own, by the system's `script`. */
const hasTerminal = spawnSync('script', ['-qfec', 'true', '/dev/null']).status === 0
if (!hasTerminal) console.warn('SKIPPED: the live frame, since `script` gives no terminal here')

describe.runIf(hasTerminal)('a terminal of 80 × 24', { timeout: 180_000 }, () => {
  test('shows what runs on one line each, none of them wrapped, and its cursor again after ^C', async () => {
    const world = await createFleet(COUNT)
    const { screen, type, running } = open(world)
    await allCreated(world, COUNT)
    await until('the frame is drawn', () => screen.lines().some((line) => line.includes(`${COUNT} running`)))
    const head = screen.lines().findIndex((line) => line.includes(`${COUNT} running`))
    const frame = screen.lines().slice(head)
    expect(frame.length).toBe(ROWS - 1)
    expect(frame.slice(1, -1).every((line) => /^ {2}Instance\/node\["n\d\d"\] .*\d+s$/.test(line))).toBe(true)
    expect(frame.at(-1)).toBe(`  … and ${COUNT - (ROWS - 3)} more running`)
    expect(frame.every((line) => Array.from(line).length < COLUMNS)).toBe(true)
    expect([screen.cursorShown, wrappedIn(screen.lines())]).toEqual([false, []])
    await until('each line tells how far its workflow is', () => shownWith(screen.lines(), /creating \d+\/\d+/) === ROWS - 3)
    type('\u0003')
    await until('it says that it stops', () => screen.lines().some((line) => /nothing more is begun/i.test(line)))
    type('\u0003')
    expect((await running.ended).code).toBe(130)
    expect(screen.cursorShown).toBe(true)
    expect(screen.lines().some((line) => line.includes('running'))).toBe(false)
    finishMaking(world)
    expect(await problemsAfterRerun(world, COUNT)).toEqual([])
    expect(countOf(world, 'create')).toBe(COUNT)
    await world.close()
  })

  test('shows each end above the frame, and no frame in the end', async () => {
    const world = await createFleet(4)
    const { screen, running } = open(world)
    await allCreated(world, 4)
    await until('the frame tells how far each workflow is', () => shownWith(screen.lines(), /creating \d+\/\d+ .*\d+s$/) === 4)
    finishMaking(world)
    expect((await running.ended).code).toBe(0)
    const lines = screen.lines()
    expect(lines.filter((line) => line.includes('Creation complete after')).length).toBe(4)
    expect(lines.filter((line) => /\d running|Still|power on/.test(line))).toEqual([])
    expect(lines.some((line) => line.startsWith('Apply complete! Resources: 4 added'))).toBe(true)
    expect(screen.cursorShown).toBe(true)
    await world.close()
  })

  test('that goes away ends the run, and nothing is lost', async () => {
    const world = await createFleet(3)
    const { running } = open(world)
    await allCreated(world, 3)
    running.child.kill('SIGKILL')
    await running.ended
    finishMaking(world)
    while (!(await world.look('status')).stdout.includes('Lock: free')) await pause(100)
    expect(await problemsAfterRerun(world, 3)).toEqual([])
    expect(countOf(world, 'create')).toBe(3)
    await world.close()
  })
})

describe('a pipe', { timeout: 180_000 }, () => {
  test.each([{ flags: [] }, { flags: ['--json'] }, { flags: ['--verbose'] }])('gets no control byte: apply $flags', async ({ flags }) => {
    const world = await createFleet(4, 300)
    const ended = await world.run(['apply', '--auto-approve', ...flags])
    expect(ended.code).toBe(0)
    for (const text of [ended.stdout, ended.stderr]) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(stateOf(world).resources.length).toBe(4)
    await world.close()
  })
})

/** Runs an apply on a terminal; what it writes is kept on a screen. */
function open(world: World) {
  const screen = createScreen(COLUMNS, ROWS)
  const command = `stty rows ${ROWS} cols ${COLUMNS}; exec '${process.execPath}' '${program()}' apply --auto-approve`
  const env = { ...world.environment, TERM: 'xterm-256color', SHELL: '/bin/sh' }
  const running = start('script', ['-qfec', command, '/dev/null'], { cwd: world.folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  running.child.stdout?.on('data', (text: string) => screen.write(text))
  return { screen, running, type: (text: string) => void running.child.stdin?.write(text) }
}

/** How many operations of the frame say this. */
function shownWith(lines: readonly string[], says: RegExp): number {
  return lines.filter((line) => /^ {2}Instance/.test(line) && says.test(line)).length
}

/** Lines of the frame that the screen is too narrow for. */
function wrappedIn(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => /^ {2}Instance/.test(line) && !/\d+s$/.test(line))
}
