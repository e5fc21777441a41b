import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { occurredAt } from '@deviceportal/contract/audit-trail';
import { eventDetails } from '@deviceportal/contract/event-details';
import { eventWords } from '@deviceportal/contract/event-words';
import { momentWords } from '@deviceportal/contract/moment-words';
import { holds } from '@deviceportal/contract/permissions';
import type { ReportSection } from '@deviceportal/contract/report-blocks';
import type { ReportLanguage } from '@deviceportal/contract/reports';
import { auditSightOf, maskEvent } from '../../audit-trail/audit-sight.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { EvidenceDeps } from '../evidence-deps.ts';
import { findEvidenceEvents, type EvidenceSubject } from '../find-events.ts';
import { evidenceWords } from './evidence-words.ts';
import { sectionOf, tableBlock } from './layout-parts.ts';

const SHOWN = 300;

/** The newest audit events about a subject, as the viewer sees them. */
export async function eventsSection(
  deps: EvidenceDeps,
  viewer: Viewer,
  { language, ...subject }: EvidenceSubject & { readonly language: ReportLanguage },
): Promise<ReportSection | null> {
  const words = evidenceWords(language);
  if (!holds(viewer.grants, 'audit-trail:read')) {
    return sectionOf('events', language, [{ kind: 'text', text: words.notReadable }]);
  }
  const sight = auditSightOf(viewer, 'audit-trail:read');
  const events = await findEvidenceEvents(deps, viewer, { subject, sight });
  if (events.length === 0) {
    return sectionOf('events', language, [{ kind: 'text', text: words.none.events }]);
  }
  const { time, device, event, by } = words.labels;
  const more =
    events.length > SHOWN
      ? [{ kind: 'text', text: words.newest(SHOWN, events.length) } as const]
      : [];
  return sectionOf('events', language, [
    ...more,
    ...tableBlock({
      label: words.sections.events,
      headers: [time, device, event, by],
      widths: [1.9, 1.6, 4, 2.2],
      rows: events.slice(0, SHOWN).map((each) => rowOf(maskEvent(each, sight), language)),
    }),
  ]);
}

function rowOf(event: AuditEvent, language: ReportLanguage): (string | null)[] {
  const details = eventDetails(event.data, language);
  const text = eventWords(event.type, language);
  return [
    momentWords(occurredAt(event)),
    event.serialNumber ?? event.deviceName,
    details === '' ? text : `${text}${language === 'en' ? '. ' : '：'}${details}`,
    event.actor.name,
  ];
}
