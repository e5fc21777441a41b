/**
 * The checker in the archive of a proof: `node checker.mjs [EXPORT] [--keys FILE]`. It is bundled into one file and
 * needs neither the portal nor a network.
 */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkExport, PROOF_SUFFIX } from '../../audit-trail/verification/check-export.ts';
import { readKeysFile } from '../../audit-trail/verification/read-keys-file.ts';

const KEYS_HINT = 'Pass a checkpoint that was kept elsewhere: node checker.mjs --keys FILE';

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { keys: { type: 'string' } },
    allowPositionals: true,
  });
  const named = positionals[0] ?? (await findProof());
  const trusted = values.keys === undefined ? null : await readKeysFile(values.keys);
  const { exitCode, lines } = await checkExport(named, { trusted, keysHint: KEYS_HINT });
  process.stdout.write(`${lines.join('\n')}\n`);
  return exitCode;
}

/** The only proof in the folder of this program. */
async function findProof(): Promise<string> {
  const folder = import.meta.dirname;
  const found = (await readdir(folder)).filter((name) => name.endsWith(PROOF_SUFFIX));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error('Usage: node checker.mjs EXPORT [--keys FILE]');
  }
  return join(folder, only);
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
