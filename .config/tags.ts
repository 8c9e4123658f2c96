// The tags that tests may have: wherever tests run, since an unknown one is an error.
export const tags = [{ name: 'longer', description: 'takes more in the long form than in the short one: .ci/run takes no other of the long form' }]
