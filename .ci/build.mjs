// Builds dist/: npm run build.
import { buildDistribution } from './distribution.mjs'

await buildDistribution('dist')
