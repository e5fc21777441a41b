import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { checkProof, type ProofReport } from '@deviceportal/audit-proof/check-proof';
import { compareExport } from '../audit-trail/export/compare-export.ts';
import { readKeysFile } from '../audit-trail/verification/read-keys-file.ts';
import { proofTools } from '../audit-trail/export/proof-tools.ts';
import { takeOptions } from '../platform/process/command-options.ts';
import { settings } from '../platform/config/settings.ts';
import { runProgram } from '../platform/process/run-program.ts';
import { StartError } from '../platform/process/start-error.ts';

const SUFFIX = '.proof.jsonl';
const USAGE =
  'Usage: npm run check-export -- FILE [--keys FILE]   (an export or its proof; no server is needed)';
/** The proof is valid, but something could not be compared (`docs/guides/audit-proof.md`). */
const NOT_COMPARED_EXIT_CODE = 2;
const FOREIGN_KEY_EXIT_CODE = 3;

const FAULTS = {
  unreadable: 'is not a valid proof line, or the file is truncated',
  'not-sealed': 'has an event that differs from the sealed one',
  resealed: 'has a block that does not match its hash',
  unsigned: 'has a block that is not signed by any of its keys',
  foreign: 'is signed by a key that is not among the trusted keys',
  'out-of-turn': 'is signed by a key that was already retired',
  edited: 'shows that lines were changed, removed, or added after the export',
} as const;

await runProgram(async () => {
  const { options, rest } = takeOptions(process.argv.slice(2), { keys: 'value' });
  const [named, ...further] = rest;
  if (named === undefined || named.startsWith('--') || further.length > 0) {
    throw new StartError(USAGE);
  }
  const keysFile = options.get('keys') ?? (process.env[settings.auditKeysFile.env] || undefined);
  const trusted = keysFile === undefined ? null : await readKeysFile(keysFile);
  const path = named.endsWith(SUFFIX) ? named.slice(0, -SUFFIX.length) : named;
  const report = await checkProof(await proofLinesOf(path), proofTools, trusted);
  if (report.fault !== null) {
    const { line, reason } = report.fault;
    const exitCode = reason === 'foreign' ? FOREIGN_KEY_EXIT_CODE : 1;
    throw new StartError(`Fault: line ${line} of the proof ${FAULTS[reason]}.`, { exitCode });
  }
  const { matches, faults, notCompared } = await compareExport(path, report);
  const open = [
    ...notCompared,
    ...(trusted === null
      ? [
          `the signing keys. Set the trusted keys from another source with --keys FILE (${settings.auditKeysFile.env}).`,
        ]
      : []),
  ];
  const lines = [
    ...faults.map((fault) => `Fault: ${fault}`),
    ...open.map((reason) => `Not compared: ${reason}`),
    ...provenLines(report, trusted !== null),
    ...matches,
  ].join('\n');
  if (faults.length > 0) throw new StartError(lines);
  process.stdout.write(`${lines}\n`);
  if (open.length > 0) process.exitCode = NOT_COMPARED_EXIT_CODE;
});

/** @throws StartError if the proof is not in the folder of the export */
async function proofLinesOf(path: string): Promise<AsyncIterable<string>> {
  const file = `${path}${SUFFIX}`;
  if ((await stat(file).catch(() => null)) === null) {
    throw new StartError(`${file} not found. Download the proof to the folder of the export.`);
  }
  return createInterface({ input: createReadStream(file), crlfDelay: Infinity });
}

function provenLines(
  { events, blocks, keys, manifest }: ProofReport,
  isTrusted: boolean,
): string[] {
  return [
    `${events} events in ${blocks} blocks match their seals.`,
    ...keys.map(({ id, publicKey }) =>
      isTrusted ? `Signed by the trusted key ${id}.` : `Signed by key ${id} (${publicKey}).`,
    ),
    ...(manifest === null
      ? []
      : [`Exported ${manifest.createdAt}; filter: ${JSON.stringify(manifest['filter'])}`]),
    'Not proven: that the export contains all events that match the filter. Only the signature of the installation asserts it.',
  ];
}
