import { newId } from '@deviceportal/contract/ids';
import type { PersonRecordExport, PersonReference } from '@deviceportal/contract/personal-data';
import { refuse } from '@deviceportal/contract/refuse';
import { readArchivedEventsOf } from '../../audit-trail/archive/read-archived-events-of.ts';
import type { HistorySources } from '../../audit-trail/archive/list-archived-events.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { eventsOfToday } from '../../audit-trail/data/events-of-today.ts';
import { ConcurrencyLimit } from '../../platform/growth-limits/concurrency-limit.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import { holderOf } from '../../platform/person-links.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import { findErasureOf } from '../data/erasure-queries.ts';
import {
  findWholePerson,
  referencesOf,
  holdWholePerson,
  isErased,
  requireWholeReach,
  type WholePerson,
} from '../erase/find-person.ts';
import type { PersonalDataDeps } from '../personal-data-deps.ts';
import { eventsAbout, recordEvents } from './record-events.ts';
import { recordFileName } from './record-file-name.ts';
import { once, recordParts, type RecordPart } from './record-parts.ts';
import { RecordSnapshot } from './record-snapshot.ts';

type Deps = PersonalDataDeps & HistorySources;

/** An export reads and writes all data of a person. */
const exporting = new ConcurrencyLimit({ each: 1, all: 2, waiting: 20, maxWaitMs: 20_000 });

/**
 * Exports all data about a person to a JSON file for that person. Includes data that other users see only with a
 * permission, but no secrets.
 *
 * @throws PortalError 1000 without the permission for all devices; 2003; 2004 if the person is erased during the export
 */
export function exportRecord(
  deps: Deps,
  caller: Caller,
  { reference, signal }: WantedRecord,
): Promise<PersonRecordExport> {
  requireWholeReach(caller.viewer, 'people:export');
  return write(deps, caller, { reference, signal });
}

/** Exports the caller's own data, which needs no permission. */
export const exportOwnRecord = (
  deps: Deps,
  caller: Caller,
  signal?: AbortSignal,
): Promise<PersonRecordExport> =>
  write(deps, caller, { reference: { kind: 'user', id: caller.viewer.userId }, signal });

function write(
  deps: Deps,
  caller: Caller,
  { reference, signal }: WantedRecord,
): Promise<PersonRecordExport> {
  const { viewer } = caller;
  return exporting.run(viewer.userId, async () => {
    const existing = eventsOfToday('people.record-exported', viewer.userId);
    await inTransaction(deps.database, (tx) =>
      requireRoom(tx, { limit: 'personRecords', of: viewer.userId, existing }),
    );
    const person = await findWholePerson(deps.database.orm, reference);
    await requireNotBeingErased(deps, reference);
    const createdAt = deps.clock();
    const fileName = recordFileName(reference.id, newId());
    try {
      const file = { person, reference, createdAt, fileName, signal };
      const { rows, bytes } = await writeFile(deps, caller, file);
      await recordExport(deps, caller, { person, reference, rows });
      return {
        downloadUrl: deps.signRecordUrl(fileName, holderOf(viewer)),
        ...{ fileName, bytes, rows },
        createdAt: createdAt.toISOString(),
      };
    } catch (error) {
      await deps.exportFiles.remove(fileName);
      throw error;
    }
  });
}

/** While rows of the person are being erased, a record would contain an arbitrary part of them. */
async function requireNotBeingErased(
  { database }: Deps,
  reference: PersonReference,
): Promise<void> {
  const erasure = await findErasureOf(database.orm, reference);
  if (erasure?.endedAt === null && erasure.round === 1) throw refuse('being-erased');
}

/** Waits for the beginning of an erasure, because it deletes only the files that exist, and would miss this one. */
function recordExport(
  { database }: Deps,
  caller: Caller,
  { person, reference, rows }: Pick<RecordFile, 'person' | 'reference'> & { readonly rows: number },
): Promise<void> {
  return inTransaction(database, async (tx) => {
    const now = await holdWholePerson(tx, reference);
    if (isErased(now, reference) && !isErased(person, reference)) throw refuse('already-erased');
    await recordAudit(tx, [
      {
        type: 'people.record-exported',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { ...referencesOf(person), rows },
      },
    ]);
  });
}

interface WantedRecord {
  readonly reference: PersonReference;
  readonly signal: AbortSignal | undefined;
}

interface RecordFile {
  readonly person: WholePerson;
  readonly reference: PersonReference;
  readonly createdAt: Date;
  readonly fileName: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal | undefined;
}

async function writeFile(
  deps: Deps,
  { viewer }: Caller,
  { person, reference, createdAt, fileName, signal }: RecordFile,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  let rows = 0;
  const count = (more: number): void => {
    signal?.throwIfAborted();
    rows += more;
  };
  async function* text(): AsyncGenerator<string> {
    const head = {
      format: 'device-portal-person-record',
      version: 1,
      ...reference,
      createdAt: createdAt.toISOString(),
    };
    yield `${JSON.stringify(head).slice(0, -1)},\n"parts":[`;
    let isFirst = true;
    for await (const part of allParts(deps, viewer, { person, signal })) {
      yield `${isFirst ? '' : ','}\n{"name":${JSON.stringify(part.name)},"rows":[`;
      isFirst = false;
      yield* rowsText(part, count);
      yield ']}';
    }
    yield '\n]}\n';
  }
  const { bytes } = await deps.exportFiles.put(fileName, text(), { signal });
  return { rows, bytes };
}

async function* allParts(
  deps: Deps,
  viewer: Viewer,
  { person, signal }: Pick<RecordFile, 'person' | 'signal'>,
): AsyncGenerator<RecordPart> {
  if (person.user !== undefined) {
    yield { name: 'audit_event', pages: recordEvents(deps, viewer, person.user.id) };
    const archived = await readArchivedEventsOf(deps, person.user.id, signal);
    yield { name: 'audit_event', pages: archived.pages };
    const gaps = archived.gaps.map((month) => ({ month }));
    if (gaps.length > 0) yield { name: 'audit_event_missing', pages: once(gaps) };
  }
  for (const id of Object.values(referencesOf(person)).flat()) {
    yield { name: 'audit_event_about', pages: eventsAbout(deps, id) };
  }
  const snapshot = new RecordSnapshot(deps.database);
  await using _open = snapshot;
  yield* recordParts(await snapshot.begin(), person);
}

async function* rowsText(part: RecordPart, count: (more: number) => void): AsyncGenerator<string> {
  let isFirst = true;
  for await (const page of part.pages) {
    count(page.length);
    const lines = page.map((row) => JSON.stringify(row)).join(',\n');
    yield `${isFirst ? '\n' : ',\n'}${lines}`;
    isFirst = false;
  }
}
