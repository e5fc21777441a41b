import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { InvocationDetail } from '@deviceportal/contract/invocations';
import { useApi, useApiClient } from '../../api/use-api.ts';
import { useWatch } from '../../live/use-watch.ts';
import { refreshIntervalMs } from './invocation-progress.ts';
import { emptyOutput, hasGap, mergeAnswer, mergePiece, type MergedOutput } from './output-merge.ts';

export interface InvocationOutput {
  readonly stdout: MergedOutput;
  readonly stderr: MergedOutput;
}

export interface WatchedInvocation {
  readonly query: UseQueryResult<InvocationDetail>;
  readonly output: InvocationOutput;
}

const GAP_DELAY_MS = 300;
const nothing: InvocationOutput = { stdout: emptyOutput, stderr: emptyOutput };

/**
 * An invocation with its complete output, updated by polling and the live channel. Only missing
 * output is requested. Give the component a `key` of the ID, so that another ID starts again.
 */
export function useInvocation(id: string): WatchedInvocation {
  const api = useApi();
  const client = useApiClient();
  const { output, change } = useOutput();
  const [shownAtMs] = useState(() => Date.now());
  const query = useQuery<InvocationDetail>({
    queryKey: api.commands.getInvocation.queryKey({ id }),
    queryFn: async ({ signal }) => {
      const { stdout, stderr } = output.current;
      const detail = await client.commands.getInvocation.query(
        { id, stdoutFrom: stdout.text.length, stderrFrom: stderr.text.length },
        { signal },
      );
      change((old) => ({
        stdout: mergeAnswer(old.stdout, detail.stdout),
        stderr: mergeAnswer(old.stderr, detail.stderr),
      }));
      return detail;
    },
    // A cached response would contain only a part of the output.
    gcTime: 0,
    staleTime: 0,
    refetchInterval: ({ state }) => refreshIntervalMs(state.data?.state, Date.now() - shownAtMs),
  });
  const { refetch } = query;
  useWatch({ kind: 'invocation', id }, (live) => {
    if (live.kind === 'invocation') void refetch();
    if (live.kind !== 'output') return;
    change((old) => ({ ...old, [live.stream]: mergePiece(old[live.stream], live) }));
  });
  const missing = hasGap(output.shown.stdout) || hasGap(output.shown.stderr);
  useEffect(() => {
    if (!missing) return undefined;
    const timer = setTimeout(() => void refetch({ cancelRefetch: false }), GAP_DELAY_MS);
    return () => clearTimeout(timer);
  }, [missing, refetch, query.dataUpdatedAt]);
  return { query, output: output.shown };
}

/** The output as state, and as a ref for requests in flight. */
function useOutput() {
  const current = useRef(nothing);
  const [shown, setShown] = useState(nothing);
  const [change] = useState(() => (merge: (old: InvocationOutput) => InvocationOutput) => {
    current.current = merge(current.current);
    setShown(current.current);
  });
  return {
    output: {
      get current() {
        return current.current;
      },
      shown,
    },
    change,
  };
}
