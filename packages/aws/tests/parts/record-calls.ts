import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RunningPart } from './start-part.ts';

interface RecordedCall {
  readonly target: string;
  readonly body: string;
  readonly isSigned: boolean;
}

/** A service that is reached through this test, which sees each call and can answer instead. */
export interface CallRecorder extends AsyncDisposable, Omit<RunningPart, 'kill'> {
  readonly calls: readonly RecordedCall[];
  /** Answers the next call; `cut` ends its connection without an answer. */
  answerNext(answer: { readonly status: number; readonly body: string } | 'cut'): void;
}

export async function recordCalls(part: Omit<RunningPart, 'kill'>): Promise<CallRecorder> {
  const calls: RecordedCall[] = [];
  const answers: ({ readonly status: number; readonly body: string } | 'cut')[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { headers, method = 'GET', url = '/' } = request;
    const target = String(headers['x-amz-target'] ?? url);
    const isSigned = String(headers.authorization).startsWith('AWS4-HMAC-SHA256 ');
    calls.push({ target, body, isSigned });
    const answer = answers.shift();
    if (answer === 'cut') return void request.socket.destroy();
    if (answer !== undefined) {
      const isJson = answer.body.startsWith('{');
      const type = isJson ? 'application/json' : 'text/xml';
      return void response.writeHead(answer.status, { 'content-type': type }).end(answer.body);
    }
    const passed = [
      ...['authorization', 'content-type', 'x-amz-date', 'x-amz-target', 'x-amzn-principal'],
    ];
    const reply = await fetch(part.endpoint + url, {
      method,
      headers: Object.fromEntries(passed.flatMap((name) => entryOf(name, headers[name]))),
      ...(body !== '' && { body }),
    });
    const type = reply.headers.get('content-type') ?? 'application/json';
    const fault = reply.headers.get('x-amzn-errortype');
    response.writeHead(reply.status, {
      'content-type': type,
      ...(fault !== null && { 'x-amzn-errortype': fault }),
    });
    response.end(await reply.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: part.region,
    credentials: part.credentials,
    calls,
    answerNext: (answer) => void answers.push(answer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const entryOf = (name: string, value: string | string[] | undefined): [string, string][] =>
  typeof value === 'string' ? [[name, value]] : [];
