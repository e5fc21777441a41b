import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { checkProof, type ProofReport } from '@deviceportal/audit-proof/check-proof';
import { proofTools } from './audit-trail/proof-tools.ts';
import { runProgram } from './platform/run-program.ts';
import { StartError } from './platform/start-error.ts';

const SUFFIX = '.proof.jsonl';
const USAGE = 'Usage: npm run check-export -- FILE   (an export or its proof; no server is needed)';

const FAULTS = {
  unreadable: 'is not what a proof is made of, or the file is cut off',
  'not-sealed': 'holds an event that is not the one that was sealed at its place',
  resealed: 'holds a block that is not what its hash says',
  unsigned: 'holds a block that none of the named keys has signed',
  edited: 'shows that lines were changed, taken away or added after the export',
} as const;

await runProgram(async () => {
  const [named, ...rest] = process.argv.slice(2);
  if (named === undefined || rest.length > 0) throw new StartError(USAGE);
  const file = await proofOf(named);
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  const report = await checkProof(lines, proofTools);
  const said = [...provenLines(report), ...(await exportLines(file, report))];
  if (report.fault !== null) {
    const { line, reason } = report.fault;
    throw new StartError([`Fault: line ${line} ${FAULTS[reason]}.`, ...said].join('\n'));
  }
  process.stdout.write(`${said.join('\n')}\n`);
});

/** @throws StartError when there is no such file */
async function proofOf(named: string): Promise<string> {
  const file = named.endsWith(SUFFIX) ? named : `${named}${SUFFIX}`;
  if ((await stat(file).catch(() => null)) !== null) return file;
  throw new StartError(`There is no ${file}. Download the proof of the export beside it.`);
}

function provenLines({ events, blocks, keys, manifest, unproven }: ProofReport): string[] {
  return [
    `${events} events in ${blocks} blocks are what was sealed.`,
    ...keys.map(({ id, publicKey }) => `Signed by key ${id} (${publicKey}).`),
    'Compare the key with the one that the installation publishes: the proof alone does not say whose it is.',
    ...(manifest === null
      ? []
      : [`Exported ${manifest.createdAt}; filter: ${JSON.stringify(manifest['filter'])}`]),
    ...(unproven.masked > 0
      ? [`Not proven: ${unproven.masked} events were shown with names or numbers left out.`]
      : []),
    ...(unproven.unsealed > 0
      ? [`Not proven: ${unproven.unsealed} events had no seal yet, or could not be read.`]
      : []),
    'Not proven: that the filter found everything. The installation says so by its signature.',
  ];
}

/** @throws StartError when the exported file lies beside the proof and is another one */
async function exportLines(file: string, { manifest, fault }: ProofReport): Promise<string[]> {
  if (manifest === null || fault !== null) return [];
  const path = join(dirname(file), basename(manifest.file));
  if ((await stat(path).catch(() => null)) === null) {
    return [`${manifest.file} does not lie beside the proof: it was not compared.`];
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') === manifest.sha256) {
    return [`${manifest.file} is the file that was exported.`];
  }
  throw new StartError(`Fault: ${manifest.file} is not the file that was exported.`);
}
