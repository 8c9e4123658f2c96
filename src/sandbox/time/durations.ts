// How long each operation takes at each profile, and the activities its progress shows.

export const profiles = ['instant', 'fast', 'realistic'] as const

export type Profile = (typeof profiles)[number]

interface Course {
  readonly fastMs: number
  readonly realisticMs: number
  readonly activities: readonly string[]
}

// The document gives no times: realistic ones are guesses, fast ones keep their proportions.
const courses: Readonly<Record<string, Course>> = {
  'instance.create': { fastMs: 400, realisticMs: 75_000, activities: ['place', 'allocate-addresses', 'create-disks', 'restore-image', 'define', 'start'] },
  'instance.delete': { fastMs: 250, realisticMs: 20_000, activities: ['stop', 'release-addresses', 'remove-disks'] },
  'instance.power': { fastMs: 120, realisticMs: 8_000, activities: ['signal', 'verify'] },
  'disk.create': { fastMs: 150, realisticMs: 10_000, activities: ['place', 'allocate'] },
  'disk.attach': { fastMs: 100, realisticMs: 4_000, activities: ['attach'] },
  'disk.detach': { fastMs: 100, realisticMs: 4_000, activities: ['detach'] },
  'disk.resize': { fastMs: 150, realisticMs: 12_000, activities: ['grow', 'refresh'] },
  'disk.delete': { fastMs: 100, realisticMs: 5_000, activities: ['remove'] },
  'ip.create': { fastMs: 100, realisticMs: 3_000, activities: ['allocate', 'announce'] },
  'ip.delete': { fastMs: 80, realisticMs: 3_000, activities: ['withdraw', 'release'] },
  'ip.attach': { fastMs: 100, realisticMs: 4_000, activities: ['route'] },
  'ip.detach': { fastMs: 100, realisticMs: 4_000, activities: ['unroute'] },
  'ip.dns': { fastMs: 80, realisticMs: 3_000, activities: ['write-zone'] },
  'dhcp.update': { fastMs: 80, realisticMs: 3_000, activities: ['write-lease'] },
  'dhcp.reset': { fastMs: 80, realisticMs: 3_000, activities: ['clear-lease'] },
  'firewall.create': { fastMs: 60, realisticMs: 1_500, activities: ['compile', 'load'] },
  'firewall.delete': { fastMs: 60, realisticMs: 1_500, activities: ['compile', 'load'] },
  'app.create': { fastMs: 250, realisticMs: 40_000, activities: ['pull-image', 'start'] },
  'dedibox.power': { fastMs: 200, realisticMs: 60_000, activities: ['signal', 'verify'] },
  'dedibox.reset-vnc': { fastMs: 80, realisticMs: 4_000, activities: ['rotate'] },
  'k3s.create': { fastMs: 500, realisticMs: 240_000, activities: ['control-plane', 'network', 'certificates'] },
  'k3s.delete': { fastMs: 400, realisticMs: 120_000, activities: ['services', 'nodes', 'control-plane'] },
  'k3s.node.create': { fastMs: 300, realisticMs: 90_000, activities: ['install', 'join'] },
  'k3s.node.delete': { fastMs: 250, realisticMs: 60_000, activities: ['drain', 'remove'] },
  'k3s.service.create': { fastMs: 250, realisticMs: 40_000, activities: ['pull-image', 'roll-out'] },
  'k3s.service.update': { fastMs: 250, realisticMs: 40_000, activities: ['pull-image', 'roll-out'] },
  'k3s.service.redeploy': { fastMs: 200, realisticMs: 30_000, activities: ['roll-out'] },
  'k3s.service.rollback': { fastMs: 200, realisticMs: 30_000, activities: ['roll-out'] },
  'k3s.service.delete': { fastMs: 150, realisticMs: 15_000, activities: ['remove'] },
}

/** The names of all operations that are carried out by workflows. */
export const workflowOperations: readonly string[] = Object.keys(courses)

const other: Course = { fastMs: 100, realisticMs: 5_000, activities: ['apply'] }

/** The time from acceptance to end, in milliseconds; a tenth of it is spent queued. */
export function durationMs(operation: string, profile: Profile): number {
  if (profile === 'instant') return 0
  const course = courses[operation] ?? other
  return profile === 'fast' ? course.fastMs : course.realisticMs
}

/** The names of an operation's activities, in order. */
export function activitiesOf(operation: string): readonly string[] {
  return (courses[operation] ?? other).activities
}
