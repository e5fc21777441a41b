/** Whether this run plays the large amounts that `npm test` omits; set by `npm run test:thorough`. */
export const isThorough = process.env['DEVICEPORTAL_TEST_THOROUGH'] === 'true';
