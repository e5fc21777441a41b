import { countryWords } from '../../locations/country-words.ts';
import { userStatus } from '../../states.ts';
import { findingSentence } from './finding-sentences.ts';
import type { MomentWords } from './moment-words.ts';
import type { ReportBlock, ReportListItem } from './report-blocks.ts';
import { reportWords } from './report-words.ts';
import type { ReportFinding, UserReportDocument } from './user-report-document.ts';

/** Findings, most severe first, each with its evidence. */
export function findingBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  const words = reportWords(report.language);
  if (report.findings.length === 0) return [{ kind: 'text', text: words.none.findings }];
  return [
    { kind: 'list', items: report.findings.map((finding) => itemOf(finding, report, moment)) },
  ];
}

function itemOf(
  finding: ReportFinding,
  report: UserReportDocument,
  moment: MomentWords,
): ReportListItem {
  const words = reportWords(report.language);
  const { severity, since, until, invocation, deviceId } = finding;
  const span = [
    since === null ? '' : words.since(moment(since)),
    until === null ? '' : words.until(moment(until)),
  ].filter(Boolean);
  const isSolved = until !== null;
  return {
    tone: isSolved ? 'success' : severity,
    toneWord: isSolved ? words.severity.solved : words.severity[severity],
    text: [findingSentence(finding, report, moment), ...span].join(' · '),
    reference:
      invocation === null
        ? { kind: 'device', id: deviceId }
        : { kind: 'invocation', ...invocation, deviceId },
  };
}

export function accountBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  const { column } = reportWords(report.language);
  const { subject, account } = report;
  const facts = [
    { label: column.name, value: subject.name },
    { label: column.username, value: subject.username },
    { label: column.email, value: subject.email },
    { label: column.phone, value: subject.phone },
    {
      label: column.country,
      value: subject.country && countryWords(subject.country, report.language),
    },
    { label: column.onRecord, value: moment(subject.createdAt) },
    { label: column.id, value: subject.id },
  ];
  const ofAccount =
    account === null
      ? []
      : [
          { label: column.status, value: userStatus[account.status][report.language] },
          { label: column.roles, value: account.roles.join(', ') },
          { label: column.lastSignIn, value: moment(account.lastSignInAt) },
        ];
  return [
    {
      kind: 'facts',
      facts: [...facts, ...ofAccount].map(({ label, value }) => ({ label, value: value || '-' })),
    },
  ];
}
