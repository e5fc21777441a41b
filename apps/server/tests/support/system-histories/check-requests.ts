import { hash } from 'node:crypto';
import type { Fault, RunTruth } from '../run-truth.ts';
import type { MadeOnce } from './people-calls.ts';

/** Requests that made something twice, nothing, or a run on other devices than the person was shown. */
export function* findRequestFaults(
  made: readonly MadeOnce[],
  runs: ReadonlyMap<string, RunTruth>,
): Generator<Fault> {
  for (const request of made) {
    if (request.ids.size > 1) yield { rule: 'made twice', seen: request };
    const [id] = request.ids;
    if (id === undefined || !request.path.startsWith('commands.')) continue;
    const run = runs.get(id);
    if (run === undefined) yield { rule: 'a run lost', seen: request };
    else if (request.targetSha256 !== null && sha256Of(run) !== request.targetSha256)
      yield { rule: 'a run on other devices than were shown', seen: { request, run } };
  }
}

const sha256Of = ({ invocations }: RunTruth): string =>
  hash(
    'sha256',
    invocations
      .map(({ deviceId }) => deviceId)
      .toSorted()
      .join('\n'),
  );
