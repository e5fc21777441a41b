import { buildAgent } from './build-agent.mjs';
import { buildPortal } from './build-portal.mjs';

await buildPortal();
await buildAgent();
