// Every route and every rule of the embedded service, over loopback sockets.
import { everyRoute } from './every-route.ts'

await everyRoute('over HTTP')
