import { parentPort } from 'node:worker_threads';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { shareableTexts } from './free-texts.ts';
import { peopleCandidates } from './people-in-text.ts';
import type { RedactionAnswer, RedactionQuestion, ReportCopy } from './redact-in-thread.ts';
import { redactReport } from './redact-report.ts';

type ToRedact = Omit<Parameters<typeof redactReport>[0], 'people'> &
  ReturnType<typeof peopleCandidates>;

let pieces: Uint8Array[] = [];
let read: ToRedact | undefined;

parentPort?.on('message', (question: RedactionQuestion) => {
  if ('piece' in question) {
    pieces.push(question.piece);
  } else if ('redaction' in question) {
    const json = Buffer.concat(pieces);
    pieces = [];
    read = readCopy(json, question.redaction);
    answer({ candidates: read.candidates, exceptId: read.report.subject.id });
  } else if (read !== undefined) {
    const { searched, ...rest } = read;
    read = undefined;
    answer({ preview: redactReport({ ...rest, people: { names: question.names, searched } }) });
  }
});

const answer = (message: RedactionAnswer): void => parentPort?.postMessage(message);

function readCopy(json: Buffer, redaction: ReportCopy['redaction']): ToRedact {
  const report = JSON.parse(json.toString('utf8')) as UserReportDocument;
  const shareable = shareableTexts(report);
  return { report, redaction, shareable, ...peopleCandidates(report, shareable) };
}
