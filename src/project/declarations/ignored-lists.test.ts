// ignore_changes takes a list as a whole: an index means nothing where the order does not count.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { load, manifest, mistakes } from '../../../test/builders/project.ts'
import { kinds } from '../../kinds/registry.ts'
import { childOf, unwrap } from '../findings/schema.ts'

const web = (pointers: string, more = '') =>
  manifest('Instance', 'web', `type: PLAN\nplan: p\nregion: r\nos_name: o\n${more}`, `lifecycle: {ignore_changes: [${pointers}]}`)
const intoLists = (kind: string, pointers: string, spec = '') =>
  load(manifest(kind, 'one', spec, `lifecycle: {ignore_changes: [${pointers}]}`)).diagnostics.filter((one) => one.summary.includes('into the list'))

test('an entry of a list is refused at its place, with the list to write', () => {
  const summary = '"/vpcs/0" leads into the list /vpcs, which ignore_changes takes as a whole'
  expect(mistakes(web('/os_name, /vpcs/0', 'vpcs: [{id: "1"}]'))).toEqual([`invalid_value 6:42 ${summary}`])
  expect(load(web('/vpcs/0')).diagnostics).toMatchObject([{ code: 'invalid_value', summary, hint: 'write /vpcs' }])
})
test('so is a member of an entry, each at its place', () => {
  const found = intoLists('K3sService', '/ports/0, /ports/0/host_port, /ports/nope, /volumes/0/host_path, /environment/A, /ports, /environment')
  expect(found.map(({ position, hint }) => [position?.column, hint])).toEqual([
    [32, 'write /ports'],
    [42, 'write /ports'],
    [62, 'write /ports'],
    [75, 'write /volumes'],
  ])
})
test('one mistake in the head is all that is said of a pointer', () => {
  expect(intoLists('Instance', '/vpc/0, 5, "vpcs/0"')).toEqual([])
})

const fieldsOf = (isWanted: (schema: z.core.$ZodType) => boolean) =>
  kinds
    .filter((kind) => kind.managed)
    .flatMap((kind) =>
      Object.keys(kind.fields).flatMap((field) => {
        const schema = childOf(kind.spec, field)
        return schema && isWanted(unwrap(schema)) ? [[kind.name, field] as const] : []
      }),
    )
const lists = fieldsOf((schema) => schema instanceof z.ZodArray)

test('there are lists and maps to be tried', () => {
  expect(lists.length).toBeGreaterThan(5)
  expect(fieldsOf((schema) => schema instanceof z.ZodRecord).length).toBeGreaterThan(1)
})
test.each(lists)('%s: /%s/0 is refused although nothing is declared there', (kind, field) => {
  expect(intoLists(kind, `/${field}, /${field}/0, /${field}/0/x`).map((one) => one.hint)).toEqual([`write /${field}`, `write /${field}`])
})
test.each(fieldsOf((schema) => !(schema instanceof z.ZodArray)))('%s: /%s/0 leads into no list', (kind, field) => {
  expect(intoLists(kind, `/${field}/0`)).toEqual([])
})
