// The bodies of SSH keys: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { sshKeys } from './ssh-keys.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl web@example'

describeBodies(sshKeys, {
  createSshKey: {
    takes: [
      { name: 'key1', public_key: key },
      { name: 'key1', public_key: `${key}\n` },
    ],
    refuses: [
      { name: 'key', public_key: key },
      { name: 'key1', public_key: 'nonsense' },
      { name: 'key1', public_key: `${key}\n${key}` },
      { name: 'key1', public_key: key.replace('ssh-ed25519', 'ssh-rsa') },
    ],
  },
})
