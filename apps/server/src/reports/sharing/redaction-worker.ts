import { parentPort } from 'node:worker_threads';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { shareableTexts } from './free-texts.ts';
import { peopleCandidates } from './people-in-text.ts';
import type { RedactionAnswer, RedactionQuestion, ReportCopy } from './redact-in-thread.ts';
import { redactReport } from './redact-report.ts';

type ToRedact = Omit<Parameters<typeof redactReport>[0], 'people'> &
  ReturnType<typeof peopleCandidates>;

let read: ToRedact | undefined;

parentPort?.on('message', (question: RedactionQuestion) => {
  if ('copy' in question) {
    read = readCopy(question.copy);
    answer({ candidates: read.candidates, exceptId: read.report.subject.id });
  } else if (read !== undefined) {
    const { searched, ...rest } = read;
    read = undefined;
    answer({ preview: redactReport({ ...rest, people: { names: question.names, searched } }) });
  }
});

const answer = (message: RedactionAnswer): void => parentPort?.postMessage(message);

function readCopy({ json, redaction }: ReportCopy): ToRedact {
  const report = JSON.parse(Buffer.from(json).toString('utf8')) as UserReportDocument;
  const shareable = shareableTexts(report);
  return { report, redaction, shareable, ...peopleCandidates(report, shareable) };
}
