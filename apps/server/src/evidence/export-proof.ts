import { zip, type AsyncZippable } from 'fflate';
import { buffer } from 'node:stream/consumers';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { z } from 'zod';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { PortalError } from '@deviceportal/contract/errors';
import {
  EVIDENCE_EVENTS_MAX,
  type evidenceProofInput,
  type EvidenceFile,
} from '@deviceportal/contract/evidence';
import { holds } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { auditSightOf } from '../audit-trail/audit-sight.ts';
import { writeAuditFiles } from '../audit-trail/export/write-audit-files.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { Caller } from '../platform/viewer.ts';
import { readChecker } from './checker/read-checker.ts';
import { readmeText } from './checker/readme-text.ts';
import type { EvidenceDeps } from './evidence-deps.ts';
import { findEvidenceEvents } from './find-events.ts';
import { keepEvidence, makingEvidence } from './keep-evidence.ts';
import { ownEvents } from './own-events.ts';

/**
 * A zip file with the audit events about a subject, their manifest and proof, and a program that checks them. Without
 * `audit-trail:export`, it contains what the viewer did and its results.
 *
 * @throws PortalError 1000 if the viewer did nothing of it and may not export
 */
export function exportProof(
  deps: EvidenceDeps,
  caller: Caller,
  { kind, id, language }: z.infer<typeof evidenceProofInput>,
): Promise<EvidenceFile> {
  return makingEvidence(deps, caller, async () => {
    const { viewer } = caller;
    const mayExport = holds(viewer.grants, 'audit-trail:export');
    const sight = auditSightOf(viewer, mayExport ? 'audit-trail:export' : 'audit-trail:read');
    const found = await findEvidenceEvents(deps, viewer, { subject: { kind, id }, sight });
    if (found.length === 0) throw refuse('proof-archived');
    const events = mayExport ? found : ownEvents(found, viewer.userId);
    if (events.length === 0) {
      throw new PortalError('noPermission', { facts: { permission: 'audit-trail:export' } });
    }
    const { files, put } = memoryFiles();
    const createdAt = deps.clock();
    const { fileName, count } = await writeAuditFiles({ ...deps, files: { put } }, viewer, {
      ...{ format: 'csv', createdAt, sight, events: pagesOf(events) },
      filter: { about: { kind, id }, onlyOwn: !mayExport },
      ...{ limit: EVIDENCE_EVENTS_MAX, tooMany: () => refuse('proof-too-large', tooLarge) },
    });
    files.set('checker.mjs', await readChecker());
    files.set('README.txt', Buffer.from(readmeText(language, { fileName, count, kind, id })));
    const content = await zipped(files, createdAt);
    return keepEvidence(deps, caller, { subject: { kind, id }, format: 'zip', content });
  });
}

const tooLarge = { facts: { limit: EVIDENCE_EVENTS_MAX } };
const PAGE = 1_000;

async function* pagesOf(events: readonly AuditEvent[]): AsyncGenerator<readonly AuditEvent[]> {
  for (let at = 0; at < events.length; at += PAGE) yield events.slice(at, at + PAGE);
}

/** The parts of the archive, which are never stored by themselves. */
function memoryFiles(): { readonly files: Map<string, Buffer>; readonly put: FileStore['put'] } {
  const files = new Map<string, Buffer>();
  return {
    files,
    async put(key, source) {
      const content = await buffer(Readable.from(source));
      files.set(key, content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { bytes: content.length, sha256 };
    },
  };
}

/** Compressed in other threads. */
function zipped(files: ReadonlyMap<string, Buffer>, mtime: Date): Promise<Uint8Array> {
  const work = promisify<AsyncZippable, { level: 6; mtime: Date }, Uint8Array>(zip);
  return work(Object.fromEntries(files), { level: 6, mtime });
}
