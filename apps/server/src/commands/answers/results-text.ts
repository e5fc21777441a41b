import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { ResultsFormat } from '@deviceportal/contract/run-results';
import type { Scope } from '@deviceportal/contract/permissions';
import { csvCells, csvHeader, type CsvColumns } from '../../platform/csv.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { listInvocationsOfRun } from '../data/invocation-queries.ts';
import { revealInvocations, type FoundInvocation } from '../invocations/reveal-invocations.ts';
import { readBeginnings, type Beginning } from '../output/read-output.ts';
import { streamOutput } from '../output/stream-output.ts';
import { csvText, jsonText } from '../output/text-cell-codec.ts';

/** Rows in memory at once, with the first part of their outputs: at most 8 MB. */
const ROWS_AT_ONCE = 100;
/** Most outputs are complete with this; the rest of a longer one is read separately. */
const BEGINNING = { stdout: 32 * 1_024, stderr: 8 * 1_024 } as const;
/** Minimum number of characters per write. */
const WORTH_SENDING = 64 * 1_024;
const streams = ['stdout', 'stderr'] as const;

const columns: CsvColumns<FoundInvocation> = [
  ['device_id', ({ row }) => row.deviceId],
  ['device', ({ row }) => row.deviceName],
  ['serial_number', ({ row }) => row.serialNumber],
  ['state', ({ row }) => row.state],
  ['status_details', ({ row }) => row.statusDetails],
  ['exit_code', ({ row }) => row.responseCode],
  ['queued_at', ({ row }) => row.queuedAt],
  ['sent_at', ({ row }) => row.sentAt],
  ['started_at', ({ row }) => row.startedAt],
  ['ended_at', ({ row }) => row.endedAt],
  ['invocation_id', ({ row }) => row.id],
  // Devices keep at most 10 MiB of output.
  ['output_truncated', ({ facts }) => facts.outputTruncated],
];

interface ResultsRequest {
  readonly runId: string;
  readonly scopes: readonly Scope[];
  readonly format: ResultsFormat;
}

type ExportDeps = Pick<CommandsDeps, 'database' | 'vault'>;

/**
 * Streams the results of a run as text with the complete output of every device, in pieces of about 1 MB at most,
 * independent of the number of devices and the size of their outputs. Secrets are masked. Times are UTC, ISO 8601; CSV
 * as in RFC 4180.
 */
export async function* resultsText(
  deps: ExportDeps,
  request: ResultsRequest,
): AsyncGenerator<string> {
  let gathered = '';
  for await (const piece of piecesOf(deps, request)) {
    gathered += piece;
    if (gathered.length < WORTH_SENDING) continue;
    yield gathered;
    gathered = '';
  }
  yield gathered;
}

async function* piecesOf(deps: ExportDeps, request: ResultsRequest): AsyncGenerator<string> {
  const isCsv = request.format === 'csv';
  yield isCsv
    ? csvHeader([...columns, ...streams.map((name) => [name, () => null] as const)])
    : '[';
  let separator = '\n';
  for await (const { found, beginning } of foundOf(deps, request)) {
    if (isCsv) {
      yield csvCells(columns, found);
    } else {
      const facts = Object.fromEntries(columns.map(([header, value]) => [header, value(found)]));
      yield separator + JSON.stringify(facts).slice(0, -1);
    }
    for (const stream of streams) {
      const text = streamOutput(deps.database.orm, { found, stream, begun: beginning[stream] });
      yield isCsv ? ',' : `,"${stream}":`;
      yield* isCsv ? csvText(text) : jsonText(text);
    }
    yield isCsv ? '\r\n' : '}';
    separator = ',\n';
  }
  if (!isCsv) yield '\n]\n';
}

async function* foundOf(
  { database, vault }: ExportDeps,
  { runId, scopes }: ResultsRequest,
): AsyncGenerator<{ readonly found: FoundInvocation; readonly beginning: Beginning }> {
  let after: InvocationRow['id'] | undefined;
  for (;;) {
    const stored = await listInvocationsOfRun(database.orm, scopes, {
      ...{ runId, after },
      limit: ROWS_AT_ONCE,
    });
    const page = await revealInvocations(database.orm, vault, stored);
    const secretsOf = new Map(page.map(({ row, facts }) => [row.id, facts.secrets]));
    const beginnings = await readBeginnings(database.orm, secretsOf, BEGINNING);
    for (const found of page)
      yield { found, beginning: beginnings.get(found.row.id) ?? { stdout: '', stderr: '' } };
    after = page.at(-1)?.row.id;
    if (page.length < ROWS_AT_ONCE) return;
  }
}
