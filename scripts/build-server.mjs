import { buildNewer, isBuilt } from './build-newer.mjs';

const packages = ['audit-proof', 'command-signing', 'contract', 'device-protocol', 'identity'];
const bundle = 'apps/server/dist/server/server.mjs';
const sources = [
  'apps/server/src',
  ...packages.map((name) => `packages/${name}/src`),
  'package-lock.json',
];

/** Bundles the server if its sources or libraries are newer than the last bundle. */
export const buildServer = () =>
  buildNewer({ name: 'server', bundle, sources, program: 'scripts/bundle-server.mjs' });

export const isServerBuilt = () => isBuilt({ bundle, sources });
