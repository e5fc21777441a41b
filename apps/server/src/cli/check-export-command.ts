import { checkExport } from '../audit-trail/verification/check-export.ts';
import { readKeysFile } from '../audit-trail/verification/read-keys-file.ts';
import { settings } from '../platform/config/settings.ts';
import { takeOptions } from '../platform/process/command-options.ts';
import { runProgram } from '../platform/process/run-program.ts';
import { StartError } from '../platform/process/start-error.ts';

const USAGE =
  'Usage: npm run check-export -- FILE [--keys FILE]   (an export or its proof; no server is needed)';
const KEYS_HINT = `Set the trusted keys from another source with --keys FILE (${settings.auditKeysFile.env}).`;
/** Everything that was read is valid, but something was not compared. */
const NOT_COMPARED_EXIT_CODE = 2;

await runProgram(async () => {
  const { options, rest } = takeOptions(process.argv.slice(2), { keys: 'value' });
  const [named, ...further] = rest;
  if (named === undefined || named.startsWith('--') || further.length > 0) {
    throw new StartError(USAGE);
  }
  const keysFile = options.get('keys') ?? (process.env[settings.auditKeysFile.env] || undefined);
  const trusted = keysFile === undefined ? null : await readKeysFile(keysFile);
  const { exitCode, lines } = await checkExport(named, { trusted, keysHint: KEYS_HINT });
  const text = lines.join('\n');
  if (exitCode !== 0 && exitCode !== NOT_COMPARED_EXIT_CODE) {
    throw new StartError(text, { exitCode });
  }
  process.stdout.write(`${text}\n`);
  process.exitCode = exitCode;
});
