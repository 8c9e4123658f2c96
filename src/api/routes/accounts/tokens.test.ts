// The bodies of tokens: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { tokens } from './tokens.ts'

const expires = '2030-01-01T00:00:00Z'
const grants = { INSTANCE: 'WRITE', DISK: 'NONE' }

describeBodies(tokens, {
  createToken: {
    takes: [{ name: 'ci-token', expires, grants }],
    refuses: [
      { name: 'abc', expires, grants },
      { name: 'abcd', expires, grants: {} },
      { name: 'abcd', expires, grants: { INSTANCE: 'NONE' } },
      { name: 'abcd', expires, grants: JSON.parse('{"INSTANCE":"READ","__proto__":"READ"}') },
      { name: 'abcd', expires, grants: { INSTANCE: 'READ', constructor: 'READ' } },
    ],
  },
  createUserToken: {
    takes: [{ name: 'abcd', expires, grants: { DEDIBOX: 'READ' } }],
    refuses: [
      { name: 'abcd', expires, grants: { OTHER: 'READ' } },
      { name: 'a'.repeat(49), expires, grants },
      { name: 'abcd', grants },
    ],
  },
  refreshToken: {
    takes: [{ code: 'c' }],
    refuses: [{}],
  },
  createWorkspaceToken: {
    takes: [
      { name: 'ci-token', expires, grants },
      { name: 'ci-token', expires, grants, subject: 'WORKSPACE' },
      { name: 'ci-token', expires, grants, subject_id: '9007199254740993' },
      { name: 'ci-token', expires, grants, subject: 'RESOURCE', subject_id: '9007199254740993' },
    ],
    refuses: [
      { name: 'abcd', expires, grants, subject: 'RESOURCE' },
      { name: 'abcd', expires, grants, subject: 'USER' },
    ],
  },
})
