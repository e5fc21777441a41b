/** Notes of the versions that are created from a release. */
export const releaseNotes = {
  included: 'Comes with Device Portal',
  changed: 'Changed with a new release',
} as const;
