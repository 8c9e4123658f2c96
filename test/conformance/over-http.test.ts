// Every kind's life over loopback sockets, with real time and an instant service.
import { kindConformance } from './life.ts'

kindConformance({ title: 'HTTP, full lists, flat details', http: true, readings: {} })
kindConformance({ title: 'HTTP, slim lists, nested details', http: true, readings: { lists: 'slim', details: 'nested' } })
