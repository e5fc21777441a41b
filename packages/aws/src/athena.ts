import {
  AthenaClient,
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  StartQueryExecutionCommand,
  StopQueryExecutionCommand,
  type QueryExecutionStatus,
} from '@aws-sdk/client-athena';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AthenaOutcome, AthenaRow, AwsPackage } from '@deviceportal/server/aws-package';
import { withTimeouts } from './with-timeouts.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;

/** Queries in a workgroup of Amazon Athena, which decides where results are stored and how much data a query reads. */
export const createAthenaQueries: AwsPackage['athena']['createAthenaQueries'] = ({
  workgroup,
  ...options
}) => {
  const client = new AthenaClient(withTimeouts(options));
  return async ({ sql, values, limitMs }, signal) => {
    signal?.throwIfAborted();
    // Not aborted: what was started must be stopped by its ID.
    const { QueryExecutionId = '' } = await client.send(
      new StartQueryExecutionCommand({
        QueryString: sql,
        WorkGroup: workgroup,
        ...(values.length > 0 && { ExecutionParameters: values.map(asLiteral) }),
      }),
    );
    const query = new RunningQuery(client, QueryExecutionId, signal);
    try {
      const status = await query.waitForEnd(limitMs);
      if (status !== 'too-slow') return outcomeOf(query, status);
      await query.stop();
      return { ended: 'too-slow', reason: `stopped after ${limitMs} ms` };
    } catch (error) {
      await query.stop().catch(() => {});
      throw error;
    }
  };
};

/** Athena puts each parameter in place as an expression. */
const asLiteral = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function outcomeOf(query: RunningQuery, status: QueryExecutionStatus): AthenaOutcome {
  const { State, StateChangeReason: reason = 'no reason' } = status;
  if (State === 'SUCCEEDED') return { ended: 'succeeded', pages: query.readPages() };
  return { ended: /bytes scanned limit/i.test(reason) ? 'too-much-data' : 'failed', reason };
}

class RunningQuery {
  readonly #client: AthenaClient;
  readonly #query: { readonly QueryExecutionId: string };
  readonly #signal: AbortSignal | undefined;

  constructor(client: AthenaClient, id: string, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#query = { QueryExecutionId: id };
    this.#signal = signal;
  }

  async stop(): Promise<void> {
    await this.#client.send(new StopQueryExecutionCommand(this.#query));
  }

  async waitForEnd(limitMs: number): Promise<QueryExecutionStatus | 'too-slow'> {
    const endsAt = performance.now() + limitMs;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const { QueryExecution } = await this.#abortable((abort) =>
        this.#client.send(new GetQueryExecutionCommand(this.#query), abort),
      );
      const status = QueryExecution?.Status ?? {};
      if (status.State !== 'QUEUED' && status.State !== 'RUNNING') return status;
      if (performance.now() > endsAt) return 'too-slow';
      await this.#abortable(({ abortSignal: signal }) =>
        sleep(wait, undefined, { ...(signal && { signal }) }),
      );
    }
  }

  async *readPages(): AsyncGenerator<readonly AthenaRow[]> {
    let token: string | undefined;
    do {
      const page = { ...this.#query, NextToken: token };
      const { ResultSet, NextToken } = await this.#abortable((abort) =>
        this.#client.send(new GetQueryResultsCommand(page), abort),
      );
      const rows = (ResultSet?.Rows ?? []).map(({ Data = [] }) =>
        Data.map(({ VarCharValue }) => VarCharValue ?? null),
      );
      // The first row of a query has the names of the columns.
      yield token === undefined ? rows.slice(1) : rows;
      token = NextToken;
    } while (token !== undefined);
  }

  /** Rejects with the reason of the signal after an abort. */
  async #abortable<Answer>(
    call: (abort: { readonly abortSignal?: AbortSignal }) => Promise<Answer>,
  ): Promise<Answer> {
    const signal = this.#signal;
    try {
      return await call({ ...(signal && { abortSignal: signal }) });
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error;
    }
  }
}
