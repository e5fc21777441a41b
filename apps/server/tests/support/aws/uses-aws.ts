/** Whether servers of this run use AWS (`npm run test:aws`), so that a test of a file in the data folder is left out. */
export const usesAws = process.env['DEVICEPORTAL_TEST_AWS'] === 'true';
