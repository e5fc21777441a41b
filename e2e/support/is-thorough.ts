/** Whether this run plays what `npm test` leaves out; `npm run test:thorough` says so. */
export const isThorough = process.env['DEVICEPORTAL_TEST_THOROUGH'] === 'true';
