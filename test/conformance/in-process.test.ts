// Every kind's life against the service in process, however it reads what the document leaves open.
import { longForm } from '../builders/long-form.ts'
import { kindConformance } from './life.ts'

const variants = [
  { lists: 'full', details: 'flat' },
  { lists: 'full', details: 'aliased' },
  { lists: 'slim', details: 'aliased' },
  { lists: 'slim', details: 'nested' },
] as const

const of = longForm(1, 3 * variants.length)

for (const [turn, { lists, details }] of variants.entries())
  kindConformance({ title: `${lists} lists, ${details} details`, http: false, readings: { lists, details } }, { turn: turn % of, of })
