import { auditFilterSchema, auditTypes } from '@deviceportal/contract/audit-trail';
import { everywhere, plainPermissions } from '@deviceportal/contract/permissions';
import { readEventsAbout } from '../../audit-trail/data/events-about.ts';
import { listAuditEvents } from '../../audit-trail/list-audit-events.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';

const EVENTS_AT_ONCE = 500;

/** Audit events of a user that are not archived, newest first. */
export async function* recordEvents(
  sources: { readonly database: Database },
  viewer: Viewer,
  userId: string,
): AsyncGenerator<readonly unknown[]> {
  const whole = { ...viewer, grants: [{ permissions: [...plainPermissions], scope: everywhere }] };
  const filter = auditFilterSchema.parse({ actorId: userId });
  let cursor: string | null = null;
  do {
    const page = await listAuditEvents(sources, whole, {
      ...{ filter, pageSize: EVENTS_AT_ONCE, cursor },
    });
    if (page.rows.length > 0) yield page.rows;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

const aboutPeople = auditTypes.filter((type) => /^(access|people|case|report)\./.test(type));

/** Actions of others on a person, with time and type; without the actors, which are personal data of others. */
export const eventsAbout = (
  { database }: { readonly database: Database },
  personId: string,
): AsyncGenerator<readonly unknown[]> => readEventsAbout(database.orm, personId, aboutPeople);
