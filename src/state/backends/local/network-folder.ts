// Folders on network file systems: locks and renames there hold on one machine alone, so it is said.
import { dirname } from 'node:path'

/** Names of file systems by their magic number, as statfs tells it on Linux. */
const shared: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P (a folder of the host)'],
  [0x6a656a63, 'virtiofs or a shared folder'],
  [0x786f4256, 'a shared folder of VirtualBox'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x47504653, 'GPFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x65735546, 'FUSE'],
])

/** The network file system that a path, or the nearest folder above it that is there, stands on; undefined where it is local or not known. */
export async function networkFileSystem(path: string, statfs: (path: string) => Promise<{ readonly type: number }>): Promise<string | undefined> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return shared.get((await statfs(at)).type >>> 0)
    } catch {
      if (dirname(at) === at) return undefined
    }
  }
}
