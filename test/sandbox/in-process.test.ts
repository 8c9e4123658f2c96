// Every route and every rule of the embedded service, without a socket.
import { everyRoute } from './every-route.ts'

await everyRoute('in process')
