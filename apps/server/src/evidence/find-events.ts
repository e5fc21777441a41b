import type { AuditEvent, AuditFilter } from '@deviceportal/contract/audit-trail';
import { EVIDENCE_EVENTS_MAX, type EvidenceKind } from '@deviceportal/contract/evidence';
import { refuse } from '@deviceportal/contract/refuse';
import { getAirBlast } from '../air-blast/get-air-blast.ts';
import type { AuditSight } from '../audit-trail/audit-sight.ts';
import { collectEvents } from '../audit-trail/collect-events.ts';
import { getCase } from '../cases/get-case.ts';
import { getRun } from '../commands/get-run.ts';
import { getInvocation } from '../commands/invocations/get-invocation.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { EvidenceDeps } from './evidence-deps.ts';

/** What the evidence is about. */
export interface EvidenceSubject {
  readonly kind: EvidenceKind;
  readonly id: string;
}

const MINUTE_MS = 60_000;

/**
 * The events about a subject that the viewer sees, newest first, unmasked. The subject itself must be visible to the
 * viewer, with the permission of its own screen.
 *
 * @throws PortalError 2003 or 5000 for a subject outside the viewer's scope; 2004 for too many events
 */
export async function findEvidenceEvents(
  deps: EvidenceDeps,
  viewer: Viewer,
  {
    subject: { kind, id },
    sight,
  }: { readonly subject: EvidenceSubject; readonly sight: AuditSight },
): Promise<AuditEvent[]> {
  const search = new EventSearch(deps, sight);
  if (kind === 'run') {
    await getRun(deps, viewer, id);
    await search.add({ runId: id });
  } else if (kind === 'invocation') {
    const reference = { id, stdoutFrom: 0, stderrFrom: 0 };
    const { runId, deviceId } = await getInvocation(deps, viewer, reference);
    // The request is an event of each device.
    const isAbout = (event: AuditEvent): boolean =>
      event.deviceId === deviceId || event.deviceId === null;
    await search.add({ runId }, isAbout);
  } else if (kind === 'case') {
    await getCase(deps, viewer, id);
    await search.add({ caseId: id });
    await search.addRuns(search.runIds());
  } else {
    const { createdAt, waves } = await getAirBlast(deps, viewer, id);
    const from = new Date(Date.parse(createdAt) - MINUTE_MS).toISOString();
    const isAbout = ({ data }: AuditEvent): boolean => data['airBlastId'] === id;
    await search.add({ types: ['air-blast.*'], range: { from, to: null } }, isAbout);
    await search.addRuns(waves.flatMap(({ runId }) => runId ?? []));
  }
  return search.events();
}

/** Collects events of several filters, each event once, up to the limit. */
class EventSearch {
  readonly #found = new Map<string, AuditEvent>();
  readonly #deps: EvidenceDeps;
  readonly #sight: AuditSight;
  #read = 0;

  constructor(deps: EvidenceDeps, sight: AuditSight) {
    this.#deps = deps;
    this.#sight = sight;
  }

  async add(
    filter: Partial<AuditFilter>,
    isAbout: (event: AuditEvent) => boolean = () => true,
  ): Promise<void> {
    const limit = EVIDENCE_EVENTS_MAX + 1 - this.#read;
    const events = await collectEvents(this.#deps, this.#sight, { filter, limit });
    this.#read += events.length;
    if (this.#read > EVIDENCE_EVENTS_MAX) {
      throw refuse('proof-too-large', { facts: { limit: EVIDENCE_EVENTS_MAX } });
    }
    for (const event of events) if (isAbout(event)) this.#found.set(event.id, event);
  }

  async addRuns(runIds: readonly string[]): Promise<void> {
    for (const runId of runIds) await this.add({ runId });
  }

  runIds(): string[] {
    const ids = [...this.#found.values()].map(({ data }) => data['runId']);
    return [...new Set(ids.filter((id) => typeof id === 'string'))];
  }

  events(): AuditEvent[] {
    return [...this.#found.values()].toSorted((one, other) =>
      one.at === other.at ? (one.id < other.id ? 1 : -1) : one.at < other.at ? 1 : -1,
    );
  }
}
