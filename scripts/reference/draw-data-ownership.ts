import type { DataOwnership } from './read-data-ownership.ts';

/** Used by nearly all slices; arrows to them would hide the others. */
const usedByMost: readonly string[] = ['access', 'audit-trail', 'devices'];
/** Uses the data of most slices. */
const usesMost: readonly string[] = ['personal-data'];

/** A diagram of the slices that own tables, with an arrow from each user to the owner. */
export function drawDataOwnership({ tables, uses }: DataOwnership): string {
  const counts = new Map<string, number>();
  for (const { slice } of tables) counts.set(slice, (counts.get(slice) ?? 0) + 1);
  const arrows = uses.filter(
    ([user, owner]) => !usedByMost.includes(owner) && !usesMost.includes(user),
  );
  const users = [...new Set(arrows.map(([user]) => user))].filter((user) => !counts.has(user));
  const nodes = [...counts].map(
    ([slice, count]) => `  ${slice}[("${slice}<br/>${count} ${count === 1 ? 'table' : 'tables'}")]`,
  );
  return [
    '```mermaid',
    'flowchart LR',
    ...nodes,
    ...users.map((user) => `  ${user}["${user}"]`),
    ...arrows.map(([user, owner]) => `  ${user} --> ${owner}`),
    '```',
  ].join('\n');
}
