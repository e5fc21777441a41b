import type { InvocationDetail } from '@deviceportal/contract/invocations';
import { durationWords, momentWords } from '@deviceportal/contract/moment-words';
import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import type { ReportLanguage } from '@deviceportal/contract/reports';
import { statusDetails, stepState } from '@deviceportal/contract/states';
import { getInvocation } from '../../commands/invocations/get-invocation.ts';
import type { LayOutEvidence } from '../export-report.ts';
import { eventsSection } from './events-section.ts';
import { evidenceWords } from './evidence-words.ts';
import { factsBlock, frameOf, parametersSection, sectionOf, tableBlock } from './layout-parts.ts';

const SHOWN_LINES = 400;
const SHOWN_CHARACTERS = 40_000;

/** The result of a command on one device, as on its screen: secrets are masked. */
export const invocationLayout: LayOutEvidence = async (deps, viewer, { id, language }) => {
  const found = await getInvocation(deps, viewer, { id, stdoutFrom: 0, stderrFrom: 0 });
  const [stdout, stderr] = await Promise.all([
    endOf('stdout', found.stdout.total),
    endOf('stderr', found.stderr.total),
  ]);
  const device = found.serialNumber ?? found.deviceName;
  return frameOf({
    ...{ id, viewer, language, now: deps.clock() },
    title: evidenceWords(language).titles.invocation(found.command, device),
    sections: [
      sectionOf('result', language, [resultFacts(found, language)]),
      parametersSection(found.parameters, language),
      sectionOf('steps', language, stepRows(found, language)),
      sectionOf('output', language, outputBlocks({ stdout, stderr }, language)),
      sectionOf('files', language, fileRows(found, language)),
      await eventsSection(deps, viewer, { kind: 'invocation', id, language }),
    ],
  });

  /** The end of a stream, which may be longer than one answer. */
  async function endOf(stream: 'stdout' | 'stderr', total: number): Promise<string> {
    const from = Math.max(0, total - SHOWN_CHARACTERS);
    if (from === 0) return found[stream].text;
    const offsets = { stdoutFrom: 0, stderrFrom: 0, [`${stream}From`]: from };
    return (await getInvocation(deps, viewer, { id, ...offsets }))[stream].text;
  }
};

function resultFacts(found: InvocationDetail, language: ReportLanguage): ReportBlock {
  const { labels } = evidenceWords(language);
  return factsBlock([
    [labels.status, statusDetails[found.statusDetails][language]],
    [labels.exitCode, found.responseCode === -1 ? null : found.responseCode],
    [labels.device, found.serialNumber ?? found.deviceName],
    [labels.command, found.command],
    [labels.document, `${found.documentName}:${found.documentVersion}`],
    [labels.runBy, found.createdBy],
    [labels.queued, momentWords(found.queuedAt)],
    [labels.started, momentWords(found.startedAt)],
    [labels.ended, momentWords(found.endedAt)],
    ...(found.comment === '' ? [] : ([[labels.comment, found.comment]] as const)),
  ]);
}

function stepRows({ steps }: InvocationDetail, language: ReportLanguage): ReportBlock[] {
  const { labels, sections } = evidenceWords(language);
  return tableBlock({
    label: sections.steps,
    headers: [labels.step, labels.status, labels.exitCode, labels.duration, labels.reason],
    widths: [3, 1.5, 1, 1.2, 3],
    rows: steps.map((step) => [
      `${step.index + 1}. ${step.name}`,
      stepState[step.state][language],
      step.exitCode,
      durationWords(step.startedAt, step.endedAt),
      step.reason,
    ]),
  });
}

function outputBlocks(
  streams: Readonly<Record<'stdout' | 'stderr', string>>,
  language: ReportLanguage,
): ReportBlock[] {
  const words = evidenceWords(language);
  const shown = (['stdout', 'stderr'] as const).filter((stream) => streams[stream].trim() !== '');
  if (shown.length === 0) return [{ kind: 'text', text: words.none.output }];
  return shown.flatMap((stream): ReportBlock[] => {
    const lines = streams[stream].trimEnd().split('\n');
    const title = words.sections.output;
    return [
      ...(lines.length > SHOWN_LINES
        ? [{ kind: 'text', text: words.lastLines(SHOWN_LINES) } as const]
        : []),
      {
        kind: 'output',
        title: stream === 'stdout' ? title : words.errors(title),
        text: lines.slice(-SHOWN_LINES).join('\n'),
      },
    ];
  });
}

function fileRows({ artifacts }: InvocationDetail, language: ReportLanguage): ReportBlock[] {
  const { labels, sections } = evidenceWords(language);
  return tableBlock({
    label: sections.files,
    headers: [labels.name, labels.size, labels.sha256],
    widths: [2, 1, 4],
    rows: artifacts.map(({ name, bytes, sha256 }) => [name, bytes, sha256]),
  });
}
