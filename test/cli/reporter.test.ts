// What an apply shows while it runs, seen through a small terminal of our own.
import { describe, expect, test } from 'vitest'
import { diagnostic } from '../../src/base/diagnostic.ts'
import type { Reporter } from '../../src/cli/apply/reporter.ts'
import { createReporter } from '../../src/cli/apply/reporter.ts'
import { versionCommand } from '../../src/cli/commands/version.ts'
import { parseCommand } from '../../src/cli/context/parse-command.ts'
import type { Printer } from '../../src/cli/surroundings/printer.ts'
import { createPrinter } from '../../src/cli/surroundings/printer.ts'
import type { Event } from '../../src/engine/model/events.ts'
import { newFolder, surroundingsFor } from './run-cli.ts'

const screen = { columns: 40, rows: 6 }

function reporterFor(
  words: readonly string[],
  screenSize?: typeof screen,
  environment: Readonly<Record<string, string>> = {},
): { readonly reporter: Reporter; readonly print: Printer; readonly printed: { stdout: string; stderr: string } } {
  const printed = { stdout: '', stderr: '' }
  const surroundings = surroundingsFor({ folder: newFolder(), environment, ...(screenSize ? { screen: screenSize } : {}) }, printed)
  const parsed = parseCommand('version', versionCommand, words)
  if ('help' in parsed) throw new Error('help was not asked for')
  const print = createPrinter(surroundings, { json: words.includes('--json'), colours: false, quiet: false })
  return { reporter: createReporter({ globals: parsed.given, surroundings, print }), print, printed }
}

/** The lines that stand on a terminal after all was written; throws where a line would have wrapped. */
function shownOn(text: string, columns: number): readonly string[] {
  const lines: string[] = ['']
  let row = 0
  for (const [, up, erase, , plain, end] of text.matchAll(/\u001b\[(\d+)A|(\u001b\[J)|(\u001b\[\?25[lh])|([^\u001b\r\n]+)|(\r\n|\n|\r)/g)) {
    if (up !== undefined) row -= Number(up)
    else if (erase !== undefined) lines.splice(row, lines.length, '')
    else if (plain !== undefined) {
      lines[row] = `${lines[row] ?? ''}${plain}`
      if (plain.length > columns || (/^(?: {2}(?! )|\d+ of)/.test(plain) && plain.length === columns)) throw new Error(`wraps: ${plain}`)
    } else if (end !== undefined && end !== '\r') lines[(row += 1)] = ''
  }
  return lines
}

function start(address: string): Event {
  return { type: 'start', address, task: 'make', action: 'create', id: null, atMs: 0 }
}
function complete(address: string, id = '1'): Event {
  return { type: 'complete', address, task: 'make', action: 'create', id, elapsedMs: 2000, scheduled: false }
}

const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250))

describe('on a terminal', () => {
  test('running operations stand in a frame, finished ones above it, and nothing of it stays', async () => {
    const { reporter, printed } = reporterFor([], screen)
    const addresses = Array.from({ length: 9 }, (_, at) => `Instance/a-rather-long-name-${at}`)
    reporter.report({ type: 'begin', operations: 9 })
    for (const address of addresses) reporter.report(start(address))
    await drawn()
    const during = shownOn(printed.stderr, screen.columns)
    expect(during[0]).toBe('0 of 9 done, 9 running')
    expect(during).toHaveLength(screen.rows - 1)
    expect(during.at(-1)).toBe('  … and 6 more running')
    for (const address of addresses) reporter.report(complete(address))
    reporter.report({ type: 'end' })
    reporter.stop()
    const finished = addresses.flatMap((address) => [`${address}: Creation`, '    complete after 2s [id=1]'])
    expect(shownOn(printed.stderr, screen.columns)).toEqual([...finished, ''])
    expect(printed.stderr.split('\u001b[?25l')).toHaveLength(2)
    expect(printed.stderr.split('\u001b[?25h')).toHaveLength(2)
    expect(printed.stderr.indexOf('\u001b[?25l')).toBeLessThan(printed.stderr.indexOf('\u001b[?25h'))
  })

  test('what an earlier run left open has a frame of its own, which is gone before the plan is told', async () => {
    const { reporter, print, printed } = reporterFor([], { columns: 60, rows: 6 })
    const about = { address: 'Instance/web', task: 'remove', action: 'delete' } as const
    reporter.report({ type: 'recovering', ...about, step: 'delete', workflowId: 'w', atMs: 0 })
    const progress = { completed: 1, total: 3, activity: 'detach' }
    reporter.report({ type: 'progress', address: about.address, task: 'remove', workflowId: 'w', progress, waitingFor: '', atMs: 10 })
    await drawn()
    const during = shownOn(printed.stderr, 60)
    expect(during).toEqual(['settling what an earlier run began, 1 running', expect.stringMatching(/^ {2}Instance\/web {2}destroying 1\/3 detach +\d+/)])
    reporter.report({ type: 'recovered', ...about, id: '7', elapsedMs: 2000, end: 'gone' })
    print.note('the plan')
    await drawn()
    expect(shownOn(printed.stderr, 60)).toEqual(['Instance/web: Destruction complete after 2s [id=7]', 'the plan', ''])
    expect(printed.stderr.split('\u001b[?25h')).toHaveLength(2)
    reporter.stop()
  })

  test.each(['xterm', 'dumb'])('of 80 columns no word of a finished operation is broken, with TERM=%s', (TERM) => {
    const { reporter, printed } = reporterFor([], { columns: 80, rows: 24 }, { TERM })
    const id = '1152921504606846976/1152921504606846977'
    reporter.report({ type: 'begin', operations: 1 })
    reporter.report(start('VpcAttachment/web'))
    reporter.report(complete('VpcAttachment/web', id))
    reporter.report({ type: 'end' })
    reporter.stop()
    expect(shownOn(printed.stderr, 80)).toEqual(expect.arrayContaining(['VpcAttachment/web: Creation complete after 2s', `    [id=${id}]`]))
  })

  test('whose progress is asked for has a line in the frame', () => {
    const { reporter } = reporterFor([], screen)
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      reporter.report(start(`Vpc/${name}`))
      reporter.report({ type: 'step', address: `Vpc/${name}`, task: 'make', step: 'create', workflowId: name === 'b' ? null : `workflow-${name}`, atMs: 0 })
    }
    // Six rows: the headline, three operations, and the count of the others.
    expect(reporter.shown?.()).toEqual(new Set(['workflow-a', 'workflow-c']))
    reporter.report(complete('Vpc/a'))
    expect(reporter.shown?.()).toEqual(new Set(['workflow-c', 'workflow-d', 'workflow-e']))
    reporter.stop()
    expect(reporterFor([]).reporter.shown).toBeUndefined()
  })

  test('what others say stands above the frame, and what the terminal echoes makes no line of its own', async () => {
    const { reporter, print, printed } = reporterFor([], screen)
    reporter.report({ type: 'begin', operations: 1 })
    reporter.report(start('Vpc/main'))
    await drawn()
    // The cursor waits where an echoed ^C overwrites the frame, which the next drawing erases.
    expect(printed.stderr.endsWith('\r')).toBe(true)
    reporter.report({ type: 'note', diagnostic: diagnostic('note', 'stopping') })
    print.aside('still trying: somewhere')
    print.note('a remark')
    expect(shownOn(printed.stderr, screen.columns).map((line) => line.replace(/ {2,}\S+$/, ''))).toEqual([
      'note: stopping',
      'still trying: somewhere',
      'a remark',
      '0 of 1 done, 1 running',
      '  Vpc/main  creating',
    ])
    reporter.report(complete('Vpc/main'))
    reporter.report({ type: 'end' })
    reporter.stop()
    print.note('afterwards')
    expect(printed.stderr.endsWith('\u001b[?25hafterwards\n')).toBe(true)
  })
})

describe('elsewhere', () => {
  test('there is a line per event, and no control character', async () => {
    const { reporter, printed } = reporterFor([])
    reporter.report({ type: 'begin', operations: 1 })
    reporter.report(start('Vpc/main'))
    await drawn()
    reporter.report(complete('Vpc/main'))
    reporter.stop()
    expect(printed).toEqual({ stdout: '', stderr: 'Vpc/main: Creating...\nVpc/main: Creation complete after 2s [id=1]\n' })
  })
  test('with --quiet there is nothing', () => {
    const { reporter, printed } = reporterFor(['--quiet'], screen)
    reporter.report(start('Vpc/main'))
    reporter.report(complete('Vpc/main'))
    expect(printed).toEqual({ stdout: '', stderr: '' })
  })
  test('with --json there are objects on standard output', () => {
    const { reporter, printed } = reporterFor(['--json'], screen)
    reporter.report(start('Vpc/main'))
    expect(JSON.parse(printed.stdout)).toMatchObject({ type: 'apply_start' })
    expect(printed.stderr).toBe('')
  })
  test('with --json progress is told where it changed, and each 10 s', () => {
    const { reporter, printed } = reporterFor(['--json'], screen)
    const progress = (completed: number, atMs: number): void =>
      reporter.report({
        type: 'progress',
        address: 'Vpc/main',
        task: 'make',
        workflowId: 'w',
        progress: { completed, total: 2, activity: 'allocate' },
        waitingFor: '',
        atMs,
      })
    reporter.report(start('Vpc/main'))
    for (const [completed, atMs] of [
      [0, 1000],
      [0, 2000],
      [1, 3900],
      [1, 9000],
      [1, 13_900],
    ] as const)
      progress(completed, atMs)
    const lines: { readonly type: string; readonly '@message': string; readonly hook: { readonly elapsed_seconds: number } }[] = printed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter((line) => line.type === 'apply_progress').map((line) => [line['@message'], line.hook.elapsed_seconds])).toEqual([
      ['Vpc/main: Still creating 0/2 allocate... [1s elapsed]', 1],
      ['Vpc/main: Still creating 1/2 allocate... [3s elapsed]', 3],
      ['Vpc/main: Still creating 1/2 allocate... [13s elapsed]', 13],
    ])
  })
})
