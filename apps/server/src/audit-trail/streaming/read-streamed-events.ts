import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { readRecords, type RecordSources } from '../archive/read-records.ts';
import { maskEvent } from '../audit-sight.ts';
import type { SealedBlock } from '../data/sealing/block-queries.ts';
import { openPersonalFields } from '../open-personal-fields.ts';
import type { StreamedEvent } from './streamed-event.ts';

const EVENTS_AT_ONCE = 200;

export interface StreamSources extends RecordSources {
  /** Whether names and addresses of people are streamed; otherwise, names are masked and addresses omitted. */
  readonly showsPeople: boolean;
}

interface OpenedEvent extends AuditEvent {
  readonly caseId: string | null;
  readonly runId: string | null;
}

/** The events of a block in the order of the trail, a part of it at a time. Archived events are read from their files. */
export async function* readStreamedEvents(
  sources: StreamSources,
  block: SealedBlock,
): AsyncGenerator<readonly StreamedEvent[]> {
  for (let from = 0; from < block.eventIds.length; from += EVENTS_AT_ONCE) {
    const ids = block.eventIds.slice(from, from + EVENTS_AT_ONCE);
    const opened = await openEvents(sources, ids);
    yield ids.map((id, index) => ({
      sequence: block.firstSequence + from + index,
      hash: Buffer.from(block.leaves[from + index] ?? []).toString('hex'),
      block: block.number,
      id,
      event: shownOf(opened.get(id)),
    }));
  }
}

async function openEvents(
  sources: StreamSources,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OpenedEvent>> {
  const found = await readRecords(sources, ids);
  const events = ids.flatMap((id) => {
    const values = found.of(id);
    return 'gone' in values ? [] : [eventOf(values)];
  });
  const opened = await openPersonalFields(sources.database.orm, events);
  const sight = { userId: '', scopes: [], seesPeople: sources.showsPeople };
  return new Map(
    opened.map((event) => [event.id, { ...event, ...maskEvent(event, sight) }] as const),
  );
}

function eventOf(values: readonly (string | null)[]): OpenedEvent {
  const record = Object.fromEntries(
    recordFields.map((field, index) => [field, values[index] ?? null]),
  ) as unknown as AuditRecord;
  const { actorKind, actorId, actorName, actorAddress, data, ...event } = record;
  return {
    ...event,
    ...{ deviceName: null, serialNumber: null, command: null },
    actor: {
      kind: actorKind as AuditEvent['actor']['kind'],
      ...{ id: actorId, name: actorName, address: actorAddress },
    },
    data: JSON.parse(data) as AuditEvent['data'],
  };
}

function shownOf(event: OpenedEvent | undefined): StreamedEvent['event'] {
  if (event === undefined) return null;
  const { at, type, actor, deviceId, caseId, requestId, runId, data } = event;
  return { at, type, actor, deviceId, caseId, requestId, runId, data };
}
