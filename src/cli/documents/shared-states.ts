// What a project needs for a state that many machines reach: lines of iac.yaml, and the rights of whoever calls.
import type { StateSettings } from '../../project/resolving/declared.ts'

/** One backend beside the local one. */
export interface SharedState {
  /** For iac.yaml. */
  readonly lines: string
  /** What has to be there outside of the project, in lines for people. */
  readonly needs: string
}

/** By the name of the backend, as `iac init --state` takes it. */
export const sharedStates: { readonly [Name in Exclude<StateSettings['backend'], 'local'>]: SharedState } = {
  postgres: {
    lines: 'state: { backend: postgres }\n',
    needs: `The state lies in a PostgreSQL database. Before the first apply:
  export IAC_STATE_URL='postgresql://USER:PASSWORD@HOST:5432/DATABASE?sslmode=verify-full'
Rights of the role that applies: CREATE on the database, for the schema iac that the first apply makes. Or, with the schema made beforehand:
  CREATE SCHEMA iac; GRANT USAGE, CREATE ON SCHEMA iac TO applier;
Of one that only plans, after the first apply:
  GRANT USAGE ON SCHEMA iac TO planner; GRANT SELECT ON ALL TABLES IN SCHEMA iac TO planner;
`,
  },
}

/** Undefined for the local backend, which needs nothing. */
export function sharedStateNamed(name: string): SharedState | undefined {
  return Object.entries(sharedStates).find(([own]) => own === name)?.[1]
}
