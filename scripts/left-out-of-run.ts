/**
 * Patterns of test files that this run leaves out, from `DEVICEPORTAL_TEST_LEFT_OUT`, where commas
 * separate them. Vitest does not apply `--exclude` to files of projects.
 */
export const leftOutOfRun: readonly string[] = (process.env['DEVICEPORTAL_TEST_LEFT_OUT'] ?? '')
  .split(',')
  .filter((pattern) => pattern !== '');
