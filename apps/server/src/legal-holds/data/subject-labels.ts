import { and, asc, eq, sql } from 'drizzle-orm';
import type { HeldKind, HeldSubject } from '@deviceportal/contract/legal-holds';
import { userNames } from '../../access/data/user-names.ts';
import { casePeople } from '../../cases/data/case-people.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { personNames } from '../../people/data/person-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { legalHoldSubject } from './legal-holds-tables.ts';

/** The named subjects of holds, by hold, with their current names. */
export async function findLabels(
  on: Executor,
  holdIds: readonly string[],
): Promise<ReadonlyMap<string, HeldSubject[]>> {
  const { holdId, kind, subjectId, isNamed } = legalHoldSubject;
  const rows = await on
    .select({
      holdId,
      kind: sql<HeldKind>`${kind}`,
      id: subjectId,
      label: sql<string>`coalesce(${deviceRecords.serialNumber}, ${userNames.username}, ${personNames.username},
        nullif(${casePeople.ticket}, ''), ${subjectId}::text)`,
    })
    .from(legalHoldSubject)
    .leftJoin(deviceRecords, and(eq(kind, 'device'), eq(deviceRecords.deviceId, subjectId)))
    .leftJoin(userNames, and(eq(kind, 'user'), eq(userNames.userId, subjectId)))
    .leftJoin(personNames, and(eq(kind, 'customer'), eq(personNames.personId, subjectId)))
    .leftJoin(casePeople, and(eq(kind, 'case'), eq(casePeople.caseId, subjectId)))
    .where(and(isAnyOf(holdId, holdIds), isNamed))
    .orderBy(asc(kind), asc(subjectId));
  const labels = new Map<string, HeldSubject[]>();
  for (const { holdId: of, ...subject } of rows) {
    labels.set(of, [...(labels.get(of) ?? []), subject]);
  }
  return labels;
}
