import { eventDetails } from './event-details.ts';
import { eventWords } from './event-words.ts';
import type { MomentWords } from './moment-words.ts';
import type { ReportBlock } from './report-blocks.ts';
import { reportWords } from './report-words.ts';
import type { UserReportDocument } from './user-report-document.ts';

/** Maximum number of rows on a page. The data tables contain all. */
const TIMELINE_SHOWN = 300;

/** Connectivity, commands, updates, and sign-ins, newest first. */
export function timelineBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  const words = reportWords(report.language);
  const { column, none, sections } = words;
  if (report.timelineTotal === 0) return [{ kind: 'text', text: none.events }];
  const shown = report.timeline.slice(0, TIMELINE_SHOWN);
  const blocks: ReportBlock[] =
    report.timelineTotal > shown.length
      ? [{ kind: 'text', text: words.newestOf(shown.length, report.timelineTotal) }]
      : [];
  blocks.push({
    kind: 'table',
    label: sections.timeline,
    headers: [column.time, column.device, column.event, column.by],
    widths: [1.9, 1.8, 4, 2],
    rows: shown.map((event) => {
      const details = eventDetails(event.data, report.language);
      const text = eventWords(event.type, report.language);
      return [
        { text: moment(event.at), reference: { kind: 'event', id: event.id, at: event.at } },
        event.deviceId === null
          ? { text: '-' }
          : { text: event.device ?? '-', reference: { kind: 'device', id: event.deviceId } },
        {
          text:
            details === '' ? text : `${text}${report.language === 'en' ? '. ' : '：'}${details}`,
        },
        { text: event.actor },
      ];
    }),
  });
  return blocks;
}
