import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '@deviceportal/contract/states';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { ApiClient } from '../api/api-client.ts';
import { listItems } from '../api/list-items.ts';
import { plainLine } from '../output/plain-text.ts';
import type { Session } from '../session.ts';
import type { Invocation } from './invocation-columns.ts';

type Detail = OperationOutput<'getInvocation'>;
type Stream = 'stdout' | 'stderr';

export interface OutputOptions {
  readonly device?: string;
  readonly follow?: boolean;
}

const FOLLOW_MS = 1_000;

/** Prints what a run has written on each device. */
export async function showOutput(
  session: Session,
  run: string,
  { device, follow = false }: OutputOptions,
): Promise<void> {
  const { printer } = session;
  const api = await session.api();
  const found = listItems((page) =>
    api.call('listRunInvocations', { params: { run }, query: page }),
  );
  const wanted: Invocation[] = [];
  for await (const invocation of found) {
    if (device === undefined || isOf(invocation, device)) wanted.push(invocation);
  }
  for (const invocation of wanted) {
    if (printer.isJson) {
      printer.json(await readAll(api, invocation.id, follow, () => {}));
      continue;
    }
    if (wanted.length > 1) printer.line(`==> ${nameOf(invocation)} <==`);
    const ended = await readAll(api, invocation.id, follow, (text) => printer.output(text));
    if (ended.stdout.truncated || ended.stderr.truncated) printer.note('The output is truncated.');
  }
  if (wanted.length === 0) printer.note('The run has no such device.');
}

const nameOf = ({ device }: Invocation): string =>
  plainLine(device.serialNumber === null ? device.name : `${device.serialNumber} ${device.name}`);

function isOf({ device }: Invocation, named: string): boolean {
  const wanted = named.toLowerCase();
  return [device.id, device.name, device.serialNumber].some(
    (name) => name?.toLowerCase() === wanted,
  );
}

/** Reads the output from where the last answer ended; with `follow` until the command has ended. */
async function readAll(
  api: ApiClient,
  invocation: string,
  follow: boolean,
  onText: (text: string) => void,
): Promise<Detail> {
  const texts: Record<Stream, string> = { stdout: '', stderr: '' };
  for (;;) {
    const detail = await api.call('getInvocation', {
      params: { invocation },
      query: { stdoutFrom: texts.stdout.length, stderrFrom: texts.stderr.length },
    });
    let isMore = false;
    for (const stream of ['stdout', 'stderr'] as const) {
      const { text, total } = detail[stream];
      texts[stream] += text;
      if (text !== '') onText(text);
      isMore ||= text !== '' && texts[stream].length < total;
    }
    if (isMore) continue;
    if (!follow || isFinal(detail.state)) {
      return {
        ...detail,
        stdout: { ...detail.stdout, text: texts.stdout, offset: 0 },
        stderr: { ...detail.stderr, text: texts.stderr, offset: 0 },
      };
    }
    await sleep(FOLLOW_MS);
  }
}
