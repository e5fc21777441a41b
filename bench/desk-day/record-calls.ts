import type { Page, Request, Response } from 'playwright-core';
import superjson from 'superjson';
import { CASE_HEADER } from '@deviceportal/contract/constants';
import type { RecordedCall } from './describe-steps.ts';

const API = '/api/trpc/';
/** Confirmations of a person's identity are made where a step requires them. */
const LEFT_OUT = /^stepUp\./;

type BrowserCall = RecordedCall & { readonly request: number };

interface Answer {
  readonly result?: { readonly data: never };
}

/** Records the calls of a page that succeed, in the order in which they were sent. */
export function recordCalls(page: Page): { readonly end: () => Promise<RecordedCall[]> } {
  const pending: Promise<readonly BrowserCall[]>[] = [];
  page.on('request', (request) => {
    if (request.method() === 'OPTIONS' || !request.url().includes(API)) return;
    const sent = { atMs: Date.now(), request: pending.length };
    pending.push(
      request
        .response()
        .then((response) => (response === null ? [] : callsOf(request, response, sent)))
        // A page that was left before its calls were answered.
        .catch(() => []),
    );
  });
  return {
    async end() {
      const calls = (await Promise.all(pending)).flat();
      return calls.toSorted((one, other) => one.atMs - other.atMs || one.request - other.request);
    },
  };
}

async function callsOf(
  request: Request,
  response: Response,
  { atMs, request: number }: { readonly atMs: number; readonly request: number },
): Promise<readonly BrowserCall[]> {
  const url = new URL(request.url());
  const paths = url.pathname.slice(url.pathname.indexOf(API) + API.length).split(',');
  const isMutation = request.method() === 'POST';
  const caseId = request.headers()[CASE_HEADER];
  const isBatch = url.searchParams.has('batch');
  const sent = isMutation ? request.postData() : url.searchParams.get('input');
  const inputs = JSON.parse(sent ?? 'null') as Record<string, never> | null;
  const body = JSON.parse(await response.text()) as Answer | readonly Answer[];
  const answers = Array.isArray(body) ? (body as readonly Answer[]) : [body as Answer];
  return paths.flatMap((path, index) => {
    const answer = answers[index];
    if (answer?.result === undefined || LEFT_OUT.test(path)) return [];
    const input = isBatch ? inputs?.[String(index)] : inputs;
    return [
      {
        ...{ atMs, request: number, path, isMutation, ...(caseId && { caseId }) },
        input: plain(input && superjson.deserialize(input as never)),
        answer: plain(superjson.deserialize(answer.result.data)),
      },
    ];
  });
}

/** Dates as texts. */
const plain = (value: unknown): unknown =>
  value === undefined || value === null ? undefined : JSON.parse(JSON.stringify(value));
