// Every route and every rule of the embedded service, over loopback sockets.
import { longForm } from '../builders/long-form.ts'
import { everyRoute } from './every-route.ts'

await everyRoute('over HTTP', longForm(Infinity, 4))
