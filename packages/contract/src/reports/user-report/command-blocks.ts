import { statusDetails } from '../../states.ts';
import { durationWords, type MomentWords } from './moment-words.ts';
import type { ReportBlock, ReportCell } from './report-blocks.ts';
import { reportWords } from './report-words.ts';
import type { ReportCommand, UserReportDocument } from './user-report-document.ts';

/** Maximum number of rows on a page. The data tables contain all. */
const SHOWN = 300;
const OUTPUTS_SHOWN = 20;

/** Commands and their results, then the last output lines of failed ones. */
export function commandBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  const words = reportWords(report.language);
  const { commands, voice } = report;
  if (commands.length === 0) return [{ kind: 'text', text: words.none.commands }];
  const { column } = words;
  const isPlain = voice === 'plain';
  const headers = [column.time, column.command, column.device, column.result];
  const blocks: ReportBlock[] = [
    {
      kind: 'table',
      label: words.sections.commands,
      headers: isPlain ? headers : [...headers, column.duration, column.by],
      widths: isPlain ? [2, 2, 2, 2] : [1.9, 1.8, 1.9, 1.9, 1.1, 2],
      rows: commands
        .slice(0, SHOWN)
        .map((command) => rowOf(command, report, moment).slice(0, isPlain ? 4 : 6)),
    },
  ];
  if (commands.length > SHOWN) {
    blocks.push({ kind: 'text', text: words.newestOf(SHOWN, commands.length) });
  }
  return isPlain ? blocks : [...blocks, ...outputBlocks(report, moment)];
}

function rowOf(
  command: ReportCommand,
  { language }: UserReportDocument,
  moment: MomentWords,
): ReportCell[] {
  const { id, deviceId, exitCode } = command;
  const exit = exitCode === null || exitCode === 0 ? '' : ` (${exitCode})`;
  return [
    { text: moment(command.queuedAt) },
    {
      text: command.command,
      reference: { kind: 'invocation', id, deviceId, command: command.command },
    },
    { text: command.device, reference: { kind: 'device', id: deviceId } },
    { text: `${statusDetails[command.statusDetails][language]}${exit}` },
    { text: durationWords(command.startedAt, command.endedAt) },
    { text: command.createdBy },
  ];
}

function outputBlocks(
  { commands, language }: UserReportDocument,
  moment: MomentWords,
): ReportBlock[] {
  return commands
    .filter(({ lastLines }) => lastLines !== '')
    .slice(0, OUTPUTS_SHOWN)
    .map(({ command, device, queuedAt, lastLines }) => ({
      kind: 'output',
      title: reportWords(language).outputOf(command, device, moment(queuedAt)),
      text: lastLines,
    }));
}
