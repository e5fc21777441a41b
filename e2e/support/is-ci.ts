/** Whether this is a CI machine: timeouts are longer, and a failed test is retried once. */
export const isCI = process.env['CI'] === 'true';
