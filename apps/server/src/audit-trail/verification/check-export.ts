import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { AuditKey } from '@deviceportal/audit-proof/audit-block';
import { checkProof, type ProofReport } from '@deviceportal/audit-proof/check-proof';
import { compareExport } from '../export/compare-export.ts';
import { proofTools } from '../export/proof-tools.ts';

/** The suffix of a proof; the rest of its name is the export. */
export const PROOF_SUFFIX = '.proof.jsonl';
const FAULT_EXIT_CODE = 1;
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

export interface ExportCheck {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

interface ExportToCheck {
  /** Keys from another source; null for those in the proof. */
  readonly trusted: readonly AuditKey[] | null;
  /** How to name trusted keys. */
  readonly keysHint: string;
}

/** Checks an export with the manifest and the proof beside it. @param named the export or its proof */
export async function checkExport(
  named: string,
  { trusted, keysHint }: ExportToCheck,
): Promise<ExportCheck> {
  const path = named.endsWith(PROOF_SUFFIX) ? named.slice(0, -PROOF_SUFFIX.length) : named;
  const file = `${path}${PROOF_SUFFIX}`;
  if ((await stat(file).catch(() => null)) === null) {
    const line = `${file} not found. Download the proof to the folder of the export.`;
    return { exitCode: FAULT_EXIT_CODE, lines: [line] };
  }
  const proof = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  const report = await checkProof(proof, proofTools, trusted);
  if (report.fault !== null) {
    const { line, reason } = report.fault;
    return {
      exitCode: reason === 'foreign' ? FOREIGN_KEY_EXIT_CODE : FAULT_EXIT_CODE,
      lines: [`Fault: line ${line} of the proof ${FAULTS[reason]}.`],
    };
  }
  const { matches, faults, notCompared } = await compareExport(path, report);
  const open = [...notCompared, ...(trusted === null ? [`the signing keys. ${keysHint}`] : [])];
  return {
    exitCode: faults.length > 0 ? FAULT_EXIT_CODE : open.length > 0 ? NOT_COMPARED_EXIT_CODE : 0,
    lines: [
      ...faults.map((fault) => `Fault: ${fault}`),
      ...open.map((reason) => `Not compared: ${reason}`),
      ...provenLines(report, trusted !== null),
      ...matches,
    ],
  };
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
