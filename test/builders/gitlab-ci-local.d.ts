// The type of a schema that comes without any.
declare module 'gitlab-ci-local/src/schema/schema.js' {
  export const schema: object
}
