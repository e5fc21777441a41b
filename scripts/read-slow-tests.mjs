import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * Test files that `npm test` leaves to `npm run test:thorough`, because each takes longer than six
 * seconds, or because it plays larger amounts there: of the server, and of the browser in `e2e`.
 * @returns {{ server: readonly string[], browser: readonly string[] }}
 */
export const readSlowTests = () =>
  JSON.parse(readFileSync(join(root, 'scripts', 'slow-tests.json'), 'utf8'));
