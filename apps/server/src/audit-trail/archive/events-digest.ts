import { createHash } from 'node:crypto';
import { leafHash, recordValues, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { proofTools } from '../export/proof-tools.ts';

export interface EventsDigest {
  readonly events: number;
  /** SHA-256 over the hashes of the events, hexadecimal. */
  readonly digest: string;
  readonly firstId: string;
  readonly lastId: string;
  readonly firstAt: string;
  readonly lastAt: string;
}

export const PAGE = 5_000;

/** The digest of events that are read page by page in the order of their IDs; null if there are none. */
export async function digestOf(
  readAfter: (id: string) => Promise<readonly AuditRecord[]>,
): Promise<EventsDigest | null> {
  const all = createHash('sha256');
  let [events, firstId, lastId] = [0, '', '00000000-0000-0000-0000-000000000000'];
  let [firstAt, lastAt] = ['~', ''];
  for (;;) {
    const page = await readAfter(lastId);
    for (const record of page) {
      all.update(leafHash(proofTools.sha256, recordValues(record)));
      if (record.at < firstAt) firstAt = record.at;
      if (record.at > lastAt) lastAt = record.at;
    }
    firstId ||= page[0]?.id ?? '';
    lastId = page.at(-1)?.id ?? lastId;
    events += page.length;
    if (page.length < PAGE) break;
  }
  return events === 0
    ? null
    : { events, digest: all.digest('hex'), firstId, lastId, firstAt, lastAt };
}
