import { hash } from 'node:crypto';
import type { Fault, RunRecord } from '../run-record.ts';
import type { MadeOnce } from './user-calls.ts';

/** Finds requests that created something twice, created nothing, or created a run on devices that were not shown. */
export function* findRequestFaults(
  made: readonly MadeOnce[],
  runs: ReadonlyMap<string, RunRecord>,
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

const sha256Of = ({ invocations }: RunRecord): string =>
  hash(
    'sha256',
    invocations
      .map(({ deviceId }) => deviceId)
      .toSorted()
      .join('\n'),
  );
