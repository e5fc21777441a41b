import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ProofReport } from '@deviceportal/audit-proof/check-proof';

/** Result of comparing an export and its manifest with what a proof signs; each entry is one line of text. */
export interface ExportComparison {
  readonly matches: readonly string[];
  readonly faults: readonly string[];
  readonly notCompared: readonly string[];
}

/**
 * Compares an export and the manifest beside it with the digests that its proof signs.
 *
 * @param path the exported file, which does not have to exist
 * @param report of a proof without a fault
 */
export async function compareExport(path: string, report: ProofReport): Promise<ExportComparison> {
  const name = basename(path);
  const { manifest, manifestSha256, unproven } = report;
  // The digests of another export say nothing about these files.
  if (manifest?.file !== name) {
    const faults = [`The proof belongs to ${manifest?.file ?? 'no export'}, not to ${name}.`];
    return { matches: [], faults, notCompared: [] };
  }
  const files = [
    await compareFile(path, manifest.sha256),
    await compareFile(`${path}.manifest.json`, manifestSha256),
  ];
  const { masked, unsealed } = unproven;
  return {
    matches: files.flatMap(({ match }) => match ?? []),
    faults: files.flatMap(({ fault }) => fault ?? []),
    notCompared: [
      ...files.flatMap(({ notCompared }) => notCompared ?? []),
      ...(masked > 0 ? [`${masked} events were exported with masked values.`] : []),
      ...(unsealed > 0 ? [`${unsealed} events were not sealed or could not be read.`] : []),
    ],
  };
}

interface FileComparison {
  readonly match?: string;
  readonly fault?: string;
  readonly notCompared?: string;
}

async function compareFile(path: string, signed: string | null): Promise<FileComparison> {
  const name = basename(path);
  const digest = await digestOf(path);
  if (digest === null) return { notCompared: `${name} was not found next to the proof.` };
  if (signed === null) return { notCompared: `the proof does not name the digest of ${name}.` };
  return digest === signed
    ? { match: `${name} is unchanged since the export.` }
    : { fault: `${name} was changed after the export.` };
}

/** SHA-256 of a file, hexadecimal; null where there is no such file. */
async function digestOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}
