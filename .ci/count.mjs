// Adds up the test runner's reports: `N passed, N failed`, under what failed. A file that could not run counts as one failure, a report that is not there, too.
import { readFileSync } from 'node:fs'

/** Of what a failed test says: its beginning tells enough. */
const MOST_CHARACTERS = 1500
const counts = process.argv.slice(2).map(countsOf)
const sum = (name) => counts.reduce((all, one) => all + one[name], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)

function countsOf(path) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'))
    const broken = report.testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'))
    for (const { name, assertionResults } of report.testResults)
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === 'failed') console.log(`failed: ${name} > ${fullName}: ${failureMessages.join(' ').slice(0, MOST_CHARACTERS)}`)
    for (const { name, message } of broken) console.log(`failed: ${name}: ${message}`)
    return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
  } catch {
    // The run ended before the tests did.
    return { passed: 0, failed: 1 }
  }
}
