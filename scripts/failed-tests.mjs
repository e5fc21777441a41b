import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { root } from './paths.mjs';

const LINES_PER_FAILURE = 12;
// eslint-disable-next-line no-control-regex -- terminal colors
const colors = /\u001B\[[0-9;]*m/g;

/**
 * @param {string} file @returns {readonly string[]} arguments for Vitest's reporters on the
 * terminal and to this file
 */
export const reportTo = (file) => [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${file}`,
];

/**
 * What failed and why, short enough to stand at the very end, where a log that was cut still shows it.
 * @param {string} file written by Vitest's JSON reporter; a missing one has no failures to tell
 * @returns {Promise<string[]>} a text per failed test, or per file that could not run
 */
export async function readFailedTests(file) {
  const report = await readFile(file, 'utf8').then(JSON.parse, () => ({ testResults: [] }));
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const where = relative(root, name);
    return failed.length === 0 && message
      ? [describeFailure(where, message)]
      : failed.map(({ fullName, failureMessages }) =>
          describeFailure(`${where} > ${fullName}`, failureMessages.join('\n')),
        );
  });
}

function describeFailure(title, message) {
  const lines = message
    .replaceAll(colors, '')
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'));
  return [title, ...lines.slice(0, LINES_PER_FAILURE)].join('\n    ');
}
