/**
 * Sums the JSON reports of test runs and ends with `N passed, N failed`. The first argument names the steps that failed; a
 * failed step without a failed test, a test file that did not load and a report that is missing count as one failure each.
 */
import { existsSync, readFileSync } from 'node:fs';

const [broken = '', ...reports] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const path of reports) {
  const name = path.split('/').slice(-2).join('/');
  if (!existsSync(path)) {
    console.log(`${name}: no report`);
    failed += 1;
    continue;
  }
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  console.log(`${name}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`);
  for (const file of unloaded) console.log(`${name}: did not load: ${file.name}`);
  passed += report.numPassedTests;
  failed += report.numFailedTests + unloaded.length;
}
if (broken !== '') console.log(`failed steps: ${broken}`);
if (broken !== '' && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
