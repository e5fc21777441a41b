/** On a machine of CI nobody waits for the end: every look is looked at, and whoever is slow is waited for. */
export const isUnwatched = process.env['CI'] === 'true';
