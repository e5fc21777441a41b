import { scopesOf } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findInvocationsById } from '../data/invocation-queries.ts';
import { revealInvocations } from '../invocations/reveal-invocations.ts';
import { readOutput } from './read-output.ts';

const CHARACTERS = 4_000;
const LINES = 12;

/**
 * The last lines of output of invocations, of stderr if there is any, with secrets masked. Invocations without output
 * are absent.
 */
export async function readOutputEnd(
  { database, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const stored = await findInvocationsById(database.orm, scopes, ids);
  const found = await revealInvocations(database.orm, vault, stored);
  const ends = new Map<string, string>();
  for (const { row, facts } of found) {
    const stream = facts.stderrLength > 0 ? 'stderr' : 'stdout';
    const total = stream === 'stderr' ? facts.stderrLength : facts.stdoutLength;
    const { text } = await readOutput(database.orm, {
      ...{ invocationId: row.id, stream, total },
      from: Math.max(0, total - CHARACTERS),
      truncated: facts.outputTruncated,
      secrets: facts.secrets,
    });
    const lines = text.trimEnd().split(/\r?\n/).slice(-LINES).join('\n');
    if (lines.trim() !== '') ends.set(row.id, lines);
  }
  return ends;
}
