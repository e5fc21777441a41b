import type { z } from 'zod';
import {
  auditTypes,
  type AuditFilter,
  type ArchivedAuditPage,
  type listAuditEventsInput,
} from '@deviceportal/contract/audit-trail';
import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { decodeCursor, encodeCursor } from '../../platform/keyset-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { auditSightOf, maskEvent, type AuditSight } from '../audit-sight.ts';
import { findArchiveFiles } from '../data/archive/archive-file-queries.ts';
import { auditQuery } from '../data/search/audit-query.ts';
import type { SealedMatches } from '../data/search/text-condition.ts';
import { findSealedMatches } from '../find-sealed-matches.ts';
import { selectArchivedEvents } from '../select-audit-events.ts';
import { hideErasedMatches } from '../hide-erased-matches.ts';
import { quoted } from './analytics.ts';
import type { RecordSources } from './read-records.ts';

/** How many events of files are read for one page; a page that finds fewer contains the time that it reached. */
const WALK_LIMIT = 5_000;

/**
 * Archived events, newest first. Conditions on the event itself are checked in the files, conditions that need devices or
 * people (scope, names, text) in the database. Months with a missing file are listed.
 */
export async function listArchivedEvents(
  sources: RecordSources,
  viewer: Viewer,
  {
    input,
    signal,
  }: {
    readonly input: Omit<z.infer<typeof listAuditEventsInput>, 'whole'>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ArchivedAuditPage> {
  const { database, analytics, archive } = sources;
  const { filter, pageSize } = input;
  const sight = auditSightOf(viewer, 'audit-trail:read');
  const files = await findArchiveFiles(database.orm, filter.range);
  const { paths, gaps } = await pathsOf(archive, files);
  const [at, id] = decodeCursor(input.cursor, 2);
  const sealed = await findSealedMatches(database.orm, filter, sight);
  const where = conditionsOf(filter, at === undefined || id === undefined ? null : { at, id }, {
    ...sight,
    sealed,
  });
  const walked =
    paths.length === 0 || where === null
      ? []
      : await analytics.query<AuditRecord>(
          `select ${recordFields.map((field) => `"${field}"`).join(', ')}
           from read_parquet([${paths.map(quoted).join(', ')}]) where ${where.join(' and ')}
           order by "at" desc, id desc limit ${WALK_LIMIT}`,
          [],
          signal,
        );
  const { residual, targetsInSight } = auditQuery(filter, sight, null, {
    everywhere: true,
    sealed,
  });
  const { events, lastId } = await selectArchivedEvents(database.orm, {
    walked,
    residual,
    targetsInSight,
    pageSize,
  });
  const isFull = walked.length === WALK_LIMIT;
  const end =
    lastId === null
      ? isFull
        ? walked.at(-1)
        : undefined
      : walked.find((each) => each.id === lastId);
  return {
    rows: hideErasedMatches(events, filter.text).map((event) => maskEvent(event, sight)),
    nextCursor: end === undefined ? null : encodeCursor([end.at, end.id]),
    complete: lastId !== null || !isFull,
    searchedTo: lastId === null && isFull ? (walked.at(-1)?.at ?? null) : null,
    gaps,
  };
}

async function pathsOf(
  archive: RecordSources['archive'],
  files: readonly { readonly file: string; readonly month: string }[],
): Promise<{ readonly paths: string[]; readonly gaps: string[] }> {
  const paths: string[] = [];
  const gaps = new Set<string>();
  for (const { file, month } of files) {
    const path = await archive.pathOf(file);
    if (path === undefined) gaps.add(month);
    else paths.push(path);
  }
  return { paths, gaps: [...gaps] };
}

/** The conditions that are checked in the files; null if nothing can match. */
function conditionsOf(
  filter: AuditFilter,
  after: { readonly at: string; readonly id: string } | null,
  sight: Pick<AuditSight, 'seesPeople'> & { readonly sealed: SealedMatches },
): string[] | null {
  const equal = (field: string, value: string | null): string[] =>
    value === null ? [] : [`"${field}" = ${quoted(value)}`];
  const moment = (value: string): string =>
    quoted(`${new Date(value).toISOString().slice(0, -1)}000Z`);
  if (filter.address !== null && !sight.seesPeople) return null;
  return [
    'true',
    ...(after === null ? [] : [`("at", id) < (${quoted(after.at)}, ${quoted(after.id)})`]),
    ...(filter.range.from === null ? [] : [`"at" >= ${moment(filter.range.from)}`]),
    ...(filter.range.to === null ? [] : [`"at" <= ${moment(filter.range.to)}`]),
    ...equal('deviceId', filter.deviceId),
    ...equal('actorId', filter.actorId),
    ...equal('actorKind', filter.actorKind),
    ...equal('requestId', filter.requestId),
    ...equal('runId', filter.runId),
    ...equal('caseId', filter.caseId),
    ...(filter.address === null
      ? []
      : [
          `"actorAddress" in (${[filter.address, ...sight.sealed.addresses].map(quoted).join(', ')})`,
        ]),
    ...typeConditions(filter.types),
  ];
}

function typeConditions(types: readonly string[]): string[] {
  if (types.length === 0) return [];
  const any = types.map((type) =>
    type.endsWith('.*')
      ? `starts_with(type, ${quoted(type.slice(0, -1))})`
      : `type = ${quoted(type)}`,
  );
  // These can contain the event of another type: the database decides whether they match.
  const folded = auditTypes.filter(
    (type) => type === 'command.requested' || type === 'command.finished',
  );
  return [`(${[...any, ...folded.map((type) => `type = ${quoted(type)}`)].join(' or ')})`];
}
