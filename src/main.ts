#!/usr/bin/env node
// The command line's entry: argv, streams and the exit code; the only file that touches `process`.
import packageJson from '../package.json' with { type: 'json' }

const [command, ...rest] = process.argv.slice(2)
if (rest.length === 0 && (command === 'version' || command === '--version')) {
  process.stdout.write(`iac ${packageJson.version}\n`)
} else {
  process.stderr.write('error: usage: iac version\n')
  process.exitCode = 3
}
