// What --json prints of people who sign in, their tokens and invites, as schemas.
import * as z from 'zod'

const text = z.string()
const baseUrl = text.describe('address of the API')
const expires = text.nullable()
const someId = text.nullable().describe('its id')
const someText = text.nullable().describe('as the service tells it; null where it does not')
const calls = z.strictObject({ allowed: z.int().describe('how many are allowed'), all: z.int().describe('of how many') })
const token = z.strictObject({
  id: someId,
  name: someText,
  origin: text.nullable().describe('SESSION, API, SYSTEM or OAUTH'),
  subject: text.nullable().describe('USER, WORKSPACE or RESOURCE'),
  subject_id: text.nullable().describe('id of what it is bound to'),
  workspace_id: text.nullable().describe('id of the workspace that it reaches; null for the token of a person'),
  expires: expires.describe('when it ends; null: never'),
  last_used: text.nullable().describe('when it was used last'),
  last_ip: text.nullable().describe('from where'),
  grants: z.record(text, text).describe('what may be read or written, by kind'),
})
const invite = z.strictObject({
  id: someId,
  email: text.nullable().describe('to whom it is addressed'),
  workspace: z.strictObject({ id: someId, name: someText }).describe('to which workspace'),
  role: text.nullable().describe('VIEWER, EDITOR, ADMINISTRATOR or OWNER'),
  from: text.nullable().describe('the name of who made it'),
  expires: expires.describe('when it ends'),
})

/** By the name of the schema's file. */
export const callerShapes = {
  login: {
    about: 'what `iac login --json` prints',
    schema: z.strictObject({
      profile: text.describe('the name that the session is stored under'),
      base_url: baseUrl,
      email: text.nullable().describe('who signed in; null where it is not known'),
      expires: expires.describe('when the session ends unless it is refreshed, in UTC; null where the service did not say'),
    }),
  },
  logout: {
    about: 'what `iac logout --json` prints',
    schema: z.strictObject({
      profile: text.describe('the profile that was removed'),
      base_url: baseUrl,
      revoked: z.boolean().describe('whether the session can do nothing any more; false where the service was not asked or has not answered'),
    }),
  },
  whoami: {
    about: 'what `iac whoami --json` prints',
    schema: z.strictObject({
      service: text.nullable().describe('address of the API; null for the embedded service'),
      profile: text.nullable().describe('the profile that is called with; null where a token was given'),
      user: z
        .strictObject({ id: someId, name: someText, email: someText, verified: z.boolean().describe('whether the email is verified') })
        .nullable()
        .describe('the person; null for the token of a workspace or a resource'),
      token: z
        .strictObject({
          id: someId,
          name: someText,
          session: z.boolean().nullable().describe('whether it is a login session'),
          certain: z.boolean().describe('whether it is known by its id; else it is the only one that was used a moment ago'),
          expires: expires.describe('when it ends'),
          grants: z.record(text, text).describe('what of it may be read or written, by kind'),
        })
        .nullable()
        .describe('the token; null where the service does not tell which one it is'),
      workspaces: z
        .array(
          z.strictObject({
            id: someId,
            name: someText,
            role: someText,
            calls: z
              .strictObject({ reading: calls.describe('those that only look'), changing: calls.describe('those that change something') })
              .describe('how many of the calls about it role and grants allow'),
          }),
        )
        .describe('the workspaces that are visible'),
    }),
  },
  doctor: {
    about: 'what `iac doctor --json` prints',
    schema: z.strictObject({
      ok: z.boolean().describe('whether nothing failed'),
      checks: z
        .array(
          z.strictObject({
            name: text.describe('what was looked at'),
            ok: z.boolean().nullable().describe('whether it is in order; null where something else stood in the way of looking'),
            says: text.describe('what was found, for people'),
            code: text.nullable().describe('the code of what is wrong; `iac explain CODE` tells more'),
            hint: text.nullable().describe('the way out'),
          }),
        )
        .describe('in the order in which they were looked at'),
    }),
  },
  'tokens-list': { about: 'what `iac tokens list --json` prints', schema: z.array(token) },
  'tokens-create': {
    about: 'what `iac tokens create --json` prints',
    schema: token
      .pick({ id: true, name: true, expires: true, grants: true })
      .extend({ code: text.nullable().describe('the token itself; null where --write-code-to names a file for it') }),
  },
  'invites-list': { about: 'what `iac invites list --json` prints', schema: z.array(invite) },
  'invites-lookup': { about: 'what `iac invites lookup --json` prints', schema: invite },
  'invites-accept': { about: 'what `iac invites accept --json` prints', schema: invite },
  'account-totp': {
    about: 'what `iac account totp on --json` prints; null where --write-to names a file for it',
    schema: z.strictObject({
      uri: text.nullable().describe('the address that an authenticator scans'),
      secret: text.nullable().describe('the secret in it'),
      reset: text.nullable().describe('the emergency reset token'),
    }),
  },
} as const
