import { buildNewer } from './build-newer.mjs';

const packages = ['audit-proof', 'command-signing', 'contract', 'device-protocol'];

/** Bundles the agent for downloads if its sources are newer than the last bundle. */
export const buildAgent = () =>
  buildNewer({
    name: 'agent',
    bundle: 'apps/agent/dist/agent.mjs',
    sources: ['apps/agent/src', ...packages.map((name) => `packages/${name}/src`)],
    program: 'apps/agent/src/build-bundle.ts',
  });
