import type { Executor } from '../../platform/database/database.ts';
import type { FoundInvocation } from '../invocations/reveal-invocations.ts';
import { readOutput } from './read-output.ts';

/**
 * A complete stream of an invocation with secrets masked, continuing a part that was already read. It ends before a
 * missing piece.
 */
export async function* streamOutput(
  executor: Executor,
  request: {
    readonly found: FoundInvocation;
    readonly stream: 'stdout' | 'stderr';
    readonly begun: string;
  },
): AsyncGenerator<string> {
  const { found, stream, begun } = request;
  const { row, facts } = found;
  const total = stream === 'stdout' ? facts.stdoutLength : facts.stderrLength;
  if (begun !== '') yield begun;
  for (let from = begun.length; from < total;) {
    const { text } = await readOutput(executor, {
      invocationId: row.id,
      stream,
      from,
      total,
      truncated: facts.outputTruncated,
      secrets: facts.secrets,
    });
    if (text === '') return;
    yield text;
    from += text.length;
  }
}
