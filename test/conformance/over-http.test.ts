// Every kind's life over loopback sockets, with real time and an instant service.
import { longForm } from '../builders/long-form.ts'
import { kindConformance } from './life.ts'

// What is walked here is walked in process as well: of what differs by the wire, a twelfth shows enough.
const of = longForm(1, 24)

kindConformance({ title: 'HTTP, full lists, flat details', http: true, readings: {} }, { turn: 0, of })
kindConformance({ title: 'HTTP, slim lists, nested details', http: true, readings: { lists: 'slim', details: 'nested' } }, { turn: 1 % of, of })
