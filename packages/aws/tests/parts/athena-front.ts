import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { partCredentials, type RunningPart } from './start-part.ts';

interface StartedQuery {
  readonly sql: string;
  /** Expressions. */
  readonly parameters: readonly string[];
}

interface FoundRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** What runs queries; `onBytes` receives the amount of data read, in bytes. */
export type RunQuery = (
  query: StartedQuery,
  watch: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
) => Promise<FoundRows>;

interface Execution extends StartedQuery {
  readonly workgroup: string;
  state: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  reason: string | undefined;
  found: FoundRows | undefined;
  bytes: number;
  readonly stop: AbortController;
}

/** The protocol of Athena (Amazon Athena API Reference), in front of another engine. */
export interface AthenaFront extends AsyncDisposable, Omit<RunningPart, 'kill'> {
  readonly executions: readonly Readonly<Omit<Execution, 'stop' | 'found'>>[];
}

export interface AthenaLimits {
  /** `BytesScannedCutoffPerQuery` of the workgroup. */
  readonly bytes: number;
  readonly rowsPerPage: number;
}

const SCANNED = 'Query exhausted resources: Bytes scanned limit was exceeded';

export async function startAthenaFront(
  run: RunQuery,
  limits: AthenaLimits = { bytes: Infinity, rowsPerPage: 1_000 },
): Promise<AthenaFront> {
  const executions = new Map<string, Execution>();
  const server = createServer(async (request, response) => {
    const call = String(request.headers['x-amz-target']).replace('AmazonAthena.', '');
    const body = (await json(request)) as Input;
    const answer = answerTo(call, body, { executions, run, limits });
    const status = '__type' in answer ? 400 : 200;
    response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials: partCredentials },
    get executions() {
      return [...executions.values()];
    },
    async [Symbol.asyncDispose]() {
      for (const { stop } of executions.values()) stop.abort();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Input {
  readonly QueryString: string;
  readonly WorkGroup: string;
  readonly ExecutionParameters?: readonly string[];
  readonly QueryExecutionId: string;
  readonly NextToken?: string;
}

interface Parts {
  readonly executions: Map<string, Execution>;
  readonly run: RunQuery;
  readonly limits: AthenaLimits;
}

const invalid = (message: string) => ({ __type: 'InvalidRequestException', message });

function answerTo(call: string, input: Input, parts: Parts): object {
  if (call === 'StartQueryExecution') return start(input, parts);
  const execution = parts.executions.get(input.QueryExecutionId);
  if (execution === undefined) return invalid(`QueryExecution ${input.QueryExecutionId} not found`);
  if (call === 'StopQueryExecution') {
    if (execution.state === 'RUNNING') execution.stop.abort(new Error('Query cancelled by user'));
    return {};
  }
  if (call === 'GetQueryExecution') {
    const { state: State, reason: StateChangeReason } = execution;
    return { QueryExecution: { Status: { State, StateChangeReason } } };
  }
  if (call !== 'GetQueryResults') return invalid(`unknown operation ${call}`);
  return pageOf(execution, Number(input.NextToken ?? 0), parts.limits);
}

function start(input: Input, { executions, run, limits }: Parts): object {
  const { QueryString: sql, WorkGroup: workgroup, ExecutionParameters: parameters } = input;
  if (sql.length > 262_144) return invalid('queryString is too long');
  if (parameters?.some(({ length }) => length < 1 || length > 1_024) || parameters?.length === 0)
    return invalid('executionParameters have an invalid length');
  const execution: Execution = {
    ...{ sql, parameters: parameters ?? [], workgroup },
    ...{ state: 'RUNNING', reason: undefined, found: undefined, bytes: 0 },
    stop: new AbortController(),
  };
  const id = randomUUID();
  executions.set(id, execution);
  const { signal } = execution.stop;
  const onBytes = (bytes: number): void => {
    execution.bytes = bytes;
    if (bytes > limits.bytes) execution.stop.abort(new Error(SCANNED));
  };
  run(execution, { signal, onBytes }).then(
    (found) => void Object.assign(execution, { state: 'SUCCEEDED', found }),
    (error: Error) => {
      execution.state = signal.aborted ? 'CANCELLED' : 'FAILED';
      execution.reason = error.message;
    },
  );
  return { QueryExecutionId: id };
}

/** The names of the columns are the first row. A null has no value. */
function pageOf({ found, state }: Execution, from: number, { rowsPerPage }: AthenaLimits): object {
  if (found === undefined) return invalid(`Query did not finish successfully: ${state}`);
  const all = [found.columns, ...found.rows];
  const to = from + rowsPerPage;
  const Rows = all.slice(from, to).map((row) => ({
    Data: row.map((value) => (value === null ? {} : { VarCharValue: value })),
  }));
  return { ResultSet: { Rows }, ...(to < all.length && { NextToken: String(to) }) };
}
