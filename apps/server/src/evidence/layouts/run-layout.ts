import { durationWords, momentWords } from '@deviceportal/contract/moment-words';
import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import type { ReportLanguage } from '@deviceportal/contract/reports';
import type { RunDetail } from '@deviceportal/contract/runs';
import { statusDetails } from '@deviceportal/contract/states';
import { getRun } from '../../commands/get-run.ts';
import { listInvocations } from '../../commands/invocations/list-invocations.ts';
import type { LayOutEvidence } from '../export-report.ts';
import { eventsSection } from './events-section.ts';
import { evidenceWords } from './evidence-words.ts';
import { factsBlock, frameOf, parametersSection, sectionOf, tableBlock } from './layout-parts.ts';

const SHOWN_DEVICES = 500;
const PAGE_SIZE = 100;

/** A run on several devices: those that the viewer sees. */
export const runLayout: LayOutEvidence = async (deps, viewer, { id, language }) => {
  const run = await getRun(deps, viewer, id);
  const { labels, sections, titles, newest } = evidenceWords(language);
  const rows: (string | number | null)[][] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listInvocations>> = await listInvocations(deps, viewer, {
      ...{ runId: id, deviceId: null, states: [], pageSize: PAGE_SIZE, cursor },
    });
    for (const each of page.rows) {
      rows.push([
        each.serialNumber ?? each.deviceName,
        statusDetails[each.statusDetails][language],
        each.responseCode === -1 ? null : each.responseCode,
        momentWords(each.startedAt),
        durationWords(each.startedAt, each.endedAt),
      ]);
    }
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < SHOWN_DEVICES);
  const more: ReportBlock[] =
    cursor === null ? [] : [{ kind: 'text', text: newest(rows.length, run.counters.target) }];
  return frameOf({
    ...{ id, viewer, language, now: deps.clock() },
    title: titles.run(run.command, run.counters.target),
    sections: [
      sectionOf('result', language, [runFacts(run, language)]),
      parametersSection(run.parameters, language),
      sectionOf('devices', language, [
        ...more,
        ...tableBlock({
          label: sections.devices,
          headers: [labels.device, labels.status, labels.exitCode, labels.started, labels.duration],
          widths: [2, 2, 1, 2, 1.2],
          rows,
        }),
      ]),
      await eventsSection(deps, viewer, { kind: 'run', id, language }),
    ],
  });
};

function runFacts(run: RunDetail, language: ReportLanguage): ReportBlock {
  const { labels } = evidenceWords(language);
  const { counters } = run;
  return factsBlock([
    [labels.status, statusDetails[run.statusDetails][language]],
    [labels.targets, counters.target],
    [labels.succeeded, counters.success],
    [labels.failed, counters.failed + counters.timedOut],
    [labels.command, run.command],
    [labels.document, `${run.documentName}:${run.documentVersion}`],
    [labels.runBy, run.createdBy],
    [labels.queued, momentWords(run.createdAt)],
    [labels.ended, momentWords(run.endedAt)],
    ...(run.comment === '' ? [] : ([[labels.comment, run.comment]] as const)),
  ]);
}
