// The rows of recipes, app templates, apps and the domains that apps may have.
import * as z from 'zod'
import { resourceState, transport } from '../../api/routes/fields.ts'
import { baseColumns } from './base-columns.ts'

const textOrNull = z.string().nullable()

/** A recipe; without an owner it is the platform's. */
export const recipeRow = z.strictObject({
  ...baseColumns,
  ownerId: textOrNull,
  name: z.string(),
  category: z.string(),
  icon: textOrNull,
  description: z.string(),
  commands: z.array(z.strictObject({ path: z.string(), args: z.array(z.string()) })),
  fields: z.array(z.strictObject({ id: z.string(), label: z.string(), description: textOrNull, type: z.string(), required: z.boolean() })),
})

/** A template. Members of mounts are not shown in the document: they are kept as JSON text, as they were sent. */
export const appTemplateRow = z.strictObject({
  ...baseColumns,
  name: z.string(),
  description: z.string(),
  image: z.string(),
  category: textOrNull,
  environment: z.array(z.strictObject({ key: z.string(), value: textOrNull, description: textOrNull })),
  mountsJson: z.string(),
  ports: z.array(z.strictObject({ name: z.string(), description: textOrNull, containerPort: z.number(), protocol: transport, http: z.boolean() })),
})

/** An app with everything resolved when it was deployed; `templateName` outlives the template, `domain` is in lower case without a trailing dot. */
export const appRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  instanceId: z.string(),
  templateId: z.string(),
  templateName: z.string(),
  name: z.string(),
  image: z.string(),
  state: resourceState,
  environment: z.record(z.string(), z.string()),
  mountsJson: z.string(),
  ports: z.array(z.strictObject({ name: z.string(), hostPort: z.number(), containerPort: z.number(), protocol: transport, http: z.boolean() })),
  domain: textOrNull,
})

/** A base domain under which apps get theirs. */
export const appDomainRow = z.strictObject({ ...baseColumns, name: z.string(), proxyMode: z.enum(['proxied', 'direct']) })

export type RecipeRow = z.output<typeof recipeRow>
export type AppTemplateRow = z.output<typeof appTemplateRow>
export type AppRow = z.output<typeof appRow>
