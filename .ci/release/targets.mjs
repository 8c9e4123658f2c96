// What a release is for, and what its files are called.

/** Architectures by the names that node has for them: what Debian, compilers and the head of an ELF file call them. */
export const targets = Object.freeze({
  'linux-x64': { arch: 'x64', debian: 'amd64', triplet: 'x86_64-linux-gnu', machine: 62 },
  'linux-arm64': { arch: 'arm64', debian: 'arm64', triplet: 'aarch64-linux-gnu', machine: 183 },
})

/** Every file of a release but the sums, by what it is. */
export function fileNames(version, names) {
  const each = (nameOf) => Object.fromEntries(names.map((name) => [name, nameOf(name)]))
  return {
    archives: each((name) => `${stem(version, name)}.tar.gz`),
    packages: each((name) => `iac_${debianVersion(version)}_${targets[name].debian}.deb`),
    manual: `iac-${version}-manual.tar.gz`,
    library: `iac-${version}.tgz`,
    bill: `iac-${version}.cdx.json`,
    container: 'Containerfile',
  }
}

/** Whether a file is called as one of a release, of whichever version. */
export function isFileName(name) {
  const { archives, packages, ...others } = fileNames('VERSION', Object.keys(targets))
  return [...Object.values(archives), ...Object.values(packages), ...Object.values(others), 'SHA256SUMS', 'SHA256SUMS.asc'].some((pattern) => {
    const [before, after] = pattern.split('VERSION')
    if (after === undefined) return name === pattern
    return name.startsWith(before) && name.endsWith(after) && /^\d+\.\d+\.\d+(?:[-~+][\w.~+-]+)?$/.test(name.slice(before.length, -after.length))
  })
}

/** The folder that an archive holds. */
export function stem(version, name) {
  return `iac-${version}-${name}`
}

/** So that a version is newer than what came before it. */
export function debianVersion(version) {
  return version.replace('-', '~')
}
