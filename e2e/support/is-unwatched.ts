/** On a CI machine nothing is waited for by a person: slow steps get more time, and a failed test is tried once more. */
export const isUnwatched = process.env['CI'] === 'true';
