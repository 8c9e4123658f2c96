// A new address follows wherever a record names it, old halves included.
import { expect, test } from 'vitest'
import { recordOf } from '../../test/builders/journal.ts'
import { tokenText } from '../base/token.ts'
import { emptyDocument } from './document.ts'
import { fold } from './fold.ts'

test('what is replaced for a resource goes on naming it, and an old half that may be the object again', () => {
  const waiting = (address: string) => ({ ...recordOf('2'), address: 'Vpc/b', triggered: { [address]: 'mark', 'Vpc/z': 'other' } })
  const marks = (address: string) => ({ restarts: { [address]: 'hash' }, triggered: { [address]: 'mark' } })
  const origin = (address: string) => ({ address, id: '1', output: 'code' })
  const half = (address: string) => ({
    id: '3',
    spec: { text: tokenText({ is: 'once', ...origin(address) }) },
    depends_on: [],
    origins: { '/text': origin(address) },
    ...marks(address),
  })
  const making = (address: string) => ({ ...recordOf('4'), address: 'Vpc/c', status: 'creating', deposed: [half(address)] }) as const
  const document = emptyDocument({ project: 'shop', environment: null, lineage: 'lineage', salt: 'c2FsdA==', toolVersion: '1' })
  const resources = [recordOf('1', { awaited: { mark: 'mark', spec: 'hash' } }), waiting('Vpc/a'), making('Vpc/a')]
  const folded = fold({ ...document, serial: 1, resources }, [{ t: 'move', from: 'Vpc/a', to: 'Vpc/new' }])
  expect([...folded.resources.values()].toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
    recordOf('1', { address: 'Vpc/new', awaited: { mark: 'mark', spec: 'hash' } }),
    waiting('Vpc/new'),
    making('Vpc/new'),
  ])
})
