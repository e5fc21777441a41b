import { Readable } from 'node:stream';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { csvHeader, csvLines } from '../../platform/csv.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AuditTrailDeps } from '../audit-trail-deps.ts';
import { isShownWhole, maskEvent, type AuditSight } from '../audit-sight.ts';
import { PROOF_SUFFIX } from '../verification/check-export.ts';
import { auditColumns } from './audit-columns.ts';
import { writeExportProof } from './write-export-proof.ts';

export interface WriteAuditFilesDeps extends Omit<AuditTrailDeps, 'exportFiles'> {
  readonly files: Pick<FileStore, 'put'>;
}

export interface AuditFilesToWrite {
  readonly format: 'csv' | 'json';
  /** As stated in the manifest. */
  readonly filter: unknown;
  readonly createdAt: Date;
  readonly sight: AuditSight;
  /** Unmasked, in their order. */
  readonly events: AsyncIterable<readonly AuditEvent[]>;
  readonly limit: number;
  readonly tooMany: () => PortalError;
}

export interface AuditFiles {
  readonly fileName: string;
  readonly manifestName: string;
  readonly proofName: string;
  readonly count: number;
  readonly sha256: string;
}

/** Writes events as their viewer sees them, with a manifest and a proof beside them. */
export async function writeAuditFiles(
  deps: WriteAuditFilesDeps,
  viewer: Viewer,
  wanted: AuditFilesToWrite,
): Promise<AuditFiles> {
  const { format, filter, createdAt, sight } = wanted;
  const stamp = createdAt.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const fileName = `audit-trail-${stamp}-${newId().slice(-12)}.${format}`;
  const { count, sha256, proven } = await writeEvents(deps, fileName, wanted);
  const manifest = {
    ...{ file: fileName, format, filter, count, sha256 },
    createdAt: createdAt.toISOString(),
    exportedBy: { id: viewer.userId, name: viewer.username },
    timeZone: 'UTC',
    order: 'newest first',
    limitedToScope: sight.scopes,
  };
  const manifestName = `${fileName}.manifest.json`;
  const manifestText = `${JSON.stringify(manifest, null, 2)}\n`;
  const { sha256: manifestSha256 } = await deps.files.put(
    manifestName,
    Readable.from([manifestText]),
  );
  const proofName = `${fileName}${PROOF_SUFFIX}`;
  await writeExportProof(
    { ...deps, signer: deps.auditSigner },
    {
      ...{ fileName: proofName, manifest, manifestSha256 },
      ids: proven,
      masked: count - proven.size,
    },
  );
  return { fileName, manifestName, proofName, count, sha256 };
}

async function writeEvents(
  { files }: Pick<WriteAuditFilesDeps, 'files'>,
  fileName: string,
  { format, events, sight, limit, tooMany }: AuditFilesToWrite,
): Promise<{ count: number; sha256: string; proven: ReadonlySet<string> }> {
  const proven = new Set<string>();
  let count = 0;
  async function* text(): AsyncGenerator<string> {
    if (format === 'csv') yield csvHeader(auditColumns);
    else yield '[';
    for await (const found of events) {
      for (const event of found) if (isShownWhole(event, sight)) proven.add(event.id);
      const shown = found.map((event) => maskEvent(event, sight));
      const isFirst = count === 0;
      count += shown.length;
      if (count > limit) throw tooMany();
      if (format === 'csv') yield csvLines(auditColumns, shown);
      else
        yield `${isFirst ? '' : ','}\n${shown.map((event) => JSON.stringify(event)).join(',\n')}`;
    }
    if (format === 'json') yield '\n]\n';
  }
  const { sha256 } = await files.put(fileName, text());
  return { count, sha256, proven };
}
