/**
 * Child process for tests that kill an agent: `node agent-process.ts STATE_DIR`. The identity must
 * exist.
 */

import { standardErrorLogger } from '../../src/logger.ts';
import { startAgent } from '../../src/run-agent.ts';

const [stateDirectory = ''] = process.argv.slice(2);

await startAgent({
  stateDirectory,
  serialNumber: 'TEST-0001',
  log: standardErrorLogger,
  enrollment: null,
  onRestartWanted: () => process.exit(75),
  timing: { backOffBaseMs: 50, backOffCapMs: 300 },
});
