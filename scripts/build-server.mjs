import { buildNewer } from './build-newer.mjs';

const packages = ['audit-proof', 'command-signing', 'contract', 'device-protocol', 'identity'];

/** Bundles the server if its sources or libraries are newer than the last bundle. */
export const buildServer = () =>
  buildNewer({
    name: 'server',
    bundle: 'apps/server/dist/server/server.mjs',
    sources: [
      'apps/server/src',
      ...packages.map((name) => `packages/${name}/src`),
      'package-lock.json',
    ],
    program: 'scripts/bundle-server.mjs',
  });
