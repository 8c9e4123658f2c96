// Every kind's life against the service in process, however it reads what the document leaves open.
import { kindConformance } from './life.ts'

const variants = [
  { lists: 'full', details: 'flat' },
  { lists: 'full', details: 'aliased' },
  { lists: 'slim', details: 'aliased' },
  { lists: 'slim', details: 'nested' },
] as const

for (const { lists, details } of variants) kindConformance({ title: `${lists} lists, ${details} details`, http: false, readings: { lists, details } })
