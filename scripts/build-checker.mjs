import { buildNewer } from './build-newer.mjs';

/** Bundles the checker of proofs for downloads if its sources are newer than the last bundle. */
export const buildChecker = () =>
  buildNewer({
    name: 'checker',
    bundle: 'apps/server/dist/checker.mjs',
    sources: [
      'apps/server/src/audit-trail',
      'apps/server/src/evidence',
      'packages/audit-proof/src',
    ],
    program: 'scripts/bundle-checker.mjs',
  });
