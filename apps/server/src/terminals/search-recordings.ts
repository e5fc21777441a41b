import { StringDecoder } from 'node:string_decoder';
import { refuse } from '@deviceportal/contract/refuse';
import { matchesIn, TerminalText } from '@deviceportal/contract/terminal-text';
import type {
  FoundRecordings,
  searchRecordingsInput,
  TerminalSessionSummary,
} from '@deviceportal/contract/terminals';
import type { z } from 'zod';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import { HeldPlaces } from '../platform/growth-limits/held-places.ts';
import { Turn } from '../platform/process/turn.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import { listRecordings, readEvents } from './data/terminal-queries.ts';
import { toSummary } from './list-terminals.ts';

/** A search reads no further recording after this much output, and can be continued. */
const MOST_BYTES = 16 * 1_024 * 1_024;
const MOST_SESSIONS = 50;
const EVENTS_AT_ONCE = 100;
const SEARCHES_OF_USER = 1;
const SEARCHES_IN_ALL = 2;

/** Searches for text in the recordings of a device. The text is not in the audit trail: it can be a secret. */
export class RecordingSearches {
  readonly #database: Database;
  readonly #ofUser = new HeldPlaces(SEARCHES_OF_USER);
  readonly #inAll = new HeldPlaces(SEARCHES_IN_ALL);

  constructor({ database }: { readonly database: Database }) {
    this.#database = database;
  }

  /** @throws PortalError 6000 outside the scope; 2004 while another search runs */
  async search(
    caller: Caller,
    input: z.infer<typeof searchRecordingsInput>,
  ): Promise<FoundRecordings> {
    const { viewer } = caller;
    const deviceId = await findDevice(this.#database.orm, viewer, {
      reference: input.deviceId,
      permissions: ['terminal:replay'],
    });
    const leaveUser = this.#ofUser.take(viewer.userId);
    const leaveAll = leaveUser && this.#inAll.take('');
    try {
      if (leaveAll === undefined) throw refuse('recording-search-busy');
      const found = await this.#searchDevice(deviceId, viewer, input);
      await this.#record(caller, deviceId, found);
      return found;
    } finally {
      leaveAll?.();
      leaveUser?.();
    }
  }

  async #searchDevice(
    deviceId: string,
    viewer: Viewer,
    { text, before }: z.infer<typeof searchRecordingsInput>,
  ): Promise<FoundRecordings> {
    const { orm } = this.#database;
    const limit = MOST_SESSIONS + 1;
    const recordings = await listRecordings(orm, { deviceId, before, limit });
    const wanted = text.toLowerCase();
    const sessions: TerminalSessionSummary[] = [];
    let searched = 0;
    let bytes = 0;
    for (const row of recordings.slice(0, MOST_SESSIONS)) {
      if (bytes >= MOST_BYTES) break;
      if (await this.#contains(row.id, wanted)) sessions.push(toSummary(row, viewer));
      searched += 1;
      bytes += row.recordedBytes;
    }
    const last = searched < recordings.length ? recordings[searched - 1] : undefined;
    return { sessions, searched, before: last?.id ?? null };
  }

  async #contains(sessionId: string, wanted: string): Promise<boolean> {
    let isFound = false;
    const text = new TerminalText((line) => {
      isFound ||= matchesIn(line, wanted).length > 0;
    });
    const decoder = new StringDecoder('utf8');
    const turn = new Turn();
    const limit = EVENTS_AT_ONCE;
    let after = 0;
    for (;;) {
      const events = await readEvents(this.#database.orm, { sessionId, after, limit });
      for (const { id, kind, data } of events) {
        after = id;
        if (kind === 'output') text.add(decoder.write(data), id);
        if (isFound) return true;
        await turn.pause();
      }
      if (events.length < limit) break;
    }
    text.end();
    return isFound;
  }

  async #record(
    caller: Caller,
    deviceId: string,
    { searched, sessions }: FoundRecordings,
  ): Promise<void> {
    await inTransaction(this.#database, (tx) =>
      recordAudit(tx, [
        {
          type: 'terminal.recordings-searched',
          actor: actorOf(caller.viewer, caller),
          requestId: caller.requestId,
          deviceId,
          data: { searched, found: sessions.length },
        },
      ]),
    );
  }
}
