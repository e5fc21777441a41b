/** Slices that own tables. Their SQL is in their `data` folder, and no other slice names their tables. */
export const ownedSlices: readonly string[] = [
  'access',
  'air-blast',
  'api-calls',
  'audit-trail',
  'cases',
  'commands',
  'data-sources',
  'devices',
  'documents',
  'findings',
  'installation',
  'locations',
  'messages',
  'notifications',
  'outbox',
  'packages',
  'people',
  'personal-data',
  'presence',
  'reports',
  'search',
  'session',
  'versions',
];

/** Slices whose SQL stands in their data folder and names no table of others. */
export const slicesWithDataFolder: readonly string[] = [
  ...ownedSlices,
  'commands',
  'explanations',
  'gateway',
  'live-channel',
  'provider-admin',
  'signing-keys',
  'device-history',
  'similar-devices',
];
