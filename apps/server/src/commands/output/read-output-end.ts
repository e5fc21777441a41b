import { sql } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { selectInvocations } from '../invocations/invocation-store.ts';
import { readOutput } from './output-store.ts';

const CHARACTERS = 4_000;
const LINES = 12;

/** The last lines of what invocations said, their errors first of all; secrets hidden. Who said nothing is absent. */
export async function readOutputEnd(
  { database, vault }: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await selectInvocations(database.orm, vault, {
    scopes: scopesOf(viewer.grants, ['commands:read']),
    where: sql`i.id = any(${sql.param([...ids])}::uuid[])`,
    order: sql`i.id`,
    limit: ids.length,
    withSteps: false,
  });
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
