// Apps from a template and their domains: section "App templates and app domains".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { filled, hostname, idText, known, open, record, secret } from '../fields.ts'
import { arrayOf } from '../pagination.ts'
import { route } from '../route.ts'
import { appVolumeMount } from './app-templates.ts'

const section = 'App templates and app domains'
const domain = lazy(() => open({ name: z.string(), proxy_mode: known(z.enum(['proxied', 'direct'])) }))

export const apps = {
  // Fields of the app are not shown.
  deployApp: route(section, 'POST', '/v1/instances/{iid}/apps/from-template', {
    body: lazy(() =>
      z.strictObject({
        template_id: idText,
        name: filled,
        environment: secret(z.record(z.string(), z.string().nullable())).optional(),
        mounts: z.array(appVolumeMount()).optional(),
        domain: hostname.optional(),
      }),
    ),
    answer: { shape: 'workflow+resource', item: lazy(() => record({ name: z.string() })) },
    statuses: [201],
    access: 'editor',
  }),
  listAppDomains: route(section, 'GET', '/v1/apps/domains', { ...arrayOf(domain, () => ({})), access: 'any' }),
  // 200: in use; 404: available.
  checkAppDomain: route(section, 'POST', '/v1/apps/domains', {
    body: lazy(() => z.strictObject({ domain: hostname })),
    answer: { shape: 'empty' },
    statuses: [200, 404],
    access: 'any',
    effect: false,
  }),
}
