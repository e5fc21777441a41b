import { buildAgent } from './build-agent.mjs';
import { buildChecker } from './build-checker.mjs';
import { buildPortal } from './build-portal.mjs';

await buildPortal();
await buildAgent();
await buildChecker();
