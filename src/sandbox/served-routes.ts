// Every route that the service answers: the document's tables, and the calls that it names without a shape.
import { undocumentedRoutes } from '../api/routes/commands.ts'
import { routes as documented } from '../api/routes/routes.ts'

/** The rows by name; the paths and bodies of the undocumented ones are assumptions. */
export const routes = Object.freeze({ ...documented, ...undocumentedRoutes })

export type RouteName = keyof typeof routes
