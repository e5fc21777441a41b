import { buildAgent } from './build-agent.mjs';
import { buildChecker } from './build-checker.mjs';
import { buildPortal } from './build-portal.mjs';
import { buildServer } from './build-server.mjs';

/** Builds what has changed since it was last built. */
export async function buildAll() {
  await buildPortal();
  await buildAgent();
  await buildChecker();
  await buildServer();
}
