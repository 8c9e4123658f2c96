// What is told of a resource is the same when it is made, and by every later plan.
import { expect, test } from 'vitest'
import { stringifyJson } from '../../src/base/json.ts'
import { drawn, isLongForm } from '../builders/long-form.ts'
import { manifest } from '../builders/project.ts'
import { brief } from '../scenarios/stage.ts'
import { createPlace } from './place.ts'
import { subjects } from './subject.ts'
import type { Subject } from './subject.ts'

interface Member {
  readonly subject: Subject
  readonly name: string
}

// What operators alone make stands in no workspace.
const members: readonly Member[] = subjects.filter(({ staff }) => !staff).flatMap(membersOf)

/** Outputs that are told more than once, and the fields of the example. */
function membersOf(subject: Subject): readonly Member[] {
  const { kind, example } = subject
  const outputs = Object.entries(kind.outputs).flatMap(([name, { once, sensitive }]) => (once || sensitive ? [] : [name]))
  const fields = Object.keys(example.spec).filter((name) => !kind.fields[name]?.secret && !kind.fields[name]?.ref)
  return [...new Set([...outputs, ...fields])].map((name) => ({ subject, name }))
}

/** What an apply of a project with a Vpc that tells a member leaves to be done, as lines of a report; `drops` has it applied once more without the field. */
async function unsettled({ subject, name }: Member, drops = false): Promise<readonly string[]> {
  const place = await createPlace({ title: 'in process', http: false, readings: {} }, subject)
  const teller = manifest(
    'Vpc',
    'teller',
    `name: teller\ndescription: "told \${json(${subject.kind.name}['subject'].${name})}"\nrange: 10.98.0.0/24`,
    'workspace: { name: default }',
  )
  try {
    const person = place.person()
    const textsOf = (spec: Readonly<Record<string, unknown>>) => ({ ...subject.texts({ spec }), 'teller.yaml': teller })
    const texts = textsOf(drops ? { [name]: undefined } : {})
    if (drops) await person.apply(textsOf({}))
    const done = await person.apply(texts)
    const errors = done.diagnostics.filter((one) => one.severity === 'error').map((one) => one.summary)
    const told = (await person.document())?.resources.find((one) => one.address === 'Vpc/teller')?.spec['description']
    const after = brief((await person.plan(texts)).plan)
    return [...errors, ...(told === undefined ? ['nobody was told'] : []), ...after].map(
      (line) => `${subject.title}: ${name}: ${line} (${stringifyJson(told ?? null)})`,
    )
  } finally {
    await place.close()
  }
}

test('a plan after an apply has nothing to tell anew', async () => {
  const reports: string[] = []
  for (const one of drawn(members, isLongForm ? members.length : 40, 'members that are told')) reports.push(...(await unsettled(one)))
  expect(reports).toEqual([])
}, 600_000)

test(
  'and none after one that clears a field',
  async () => {
    const cleared = members.filter(({ subject, name }) => subject.kind.fields[name]?.clearable === true && !subject.kind.fields[name].immutable)
    const reports: string[] = []
    for (const one of drawn(cleared, isLongForm ? cleared.length : 10, 'fields that are cleared')) reports.push(...(await unsettled(one, true)))
    expect(reports).toEqual([])
  },
  isLongForm ? 600_000 : 60_000,
)
