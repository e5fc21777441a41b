import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { EvidenceFile } from '@deviceportal/contract/evidence';
import { newId } from '@deviceportal/contract/ids';
import { eventsOfToday } from '../audit-trail/data/events-of-today.ts';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { ConcurrencyLimit } from '../platform/growth-limits/concurrency-limit.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import { holderOf } from '../platform/person-links.ts';
import type { Caller } from '../platform/viewer.ts';
import type { EvidenceDeps } from './evidence-deps.ts';
import type { EvidenceSubject } from './find-events.ts';

const making = new ConcurrencyLimit({ each: 1, all: 3, waiting: 50, maxWaitMs: 20_000 });

/** Limits how many files a user creates, at the same time and in a day. */
export function makingEvidence<Result>(
  { database }: Pick<EvidenceDeps, 'database'>,
  { viewer }: Caller,
  work: () => Promise<Result>,
): Promise<Result> {
  return making.run(viewer.userId, async () => {
    const existing = eventsOfToday('evidence.exported', viewer.userId);
    await inTransaction(database, (tx) =>
      requireRoom(tx, { limit: 'evidenceFiles', of: viewer.userId, existing }),
    );
    return work();
  });
}

interface NewEvidence {
  readonly subject: EvidenceSubject;
  readonly format: 'pdf' | 'zip';
  readonly content: Uint8Array;
}

/** Stores a file, records it, and returns a link for the caller. */
export async function keepEvidence(
  deps: EvidenceDeps,
  caller: Caller,
  { subject: { kind, id }, format, content }: NewEvidence,
): Promise<EvidenceFile> {
  const { viewer, requestId } = caller;
  const fileName = `evidence-${kind}-${id.slice(-12)}-${newId().slice(-12)}.${format}`;
  const sha256 = createHash('sha256').update(content).digest('hex');
  await deps.exportFiles.put(fileName, Readable.from([content]));
  const caseId = kind === 'case' ? id : (caller.caseId ?? null);
  await inTransaction(deps.database, (tx) =>
    recordAudit(tx, [
      {
        ...{ type: 'evidence.exported', actor: actorOf(viewer, caller), requestId, caseId },
        data: {
          ...{ kind, subjectId: id, format, file: fileName, sha256 },
          ...(kind === 'run' && { runId: id }),
        },
      },
    ]),
  );
  return { downloadUrl: deps.signEvidenceUrl(fileName, holderOf(viewer)), fileName, sha256 };
}
