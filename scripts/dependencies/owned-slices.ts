/** Slices of the server that keep their tables to themselves: what the redesign has reached. */
export const ownedSlices: readonly string[] = [
  'api-calls',
  'messages',
  'outbox',
  'presence',
  'search',
  'session',
];
