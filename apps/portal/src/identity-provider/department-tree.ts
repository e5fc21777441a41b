import type { DepartmentRow } from '@deviceportal/contract/provider-admin';

/** A department with its position, and what deleting it would affect. */
export interface DepartmentNode extends DepartmentRow {
  /** 0 at the root. */
  readonly depth: number;
  /** The number of departments below it, on all levels. */
  readonly below: number;
  /**
   * Members of the department and of all departments below. A member of several departments counts
   * in each.
   */
  readonly peopleBelow: number;
}

/** @param rows Each row comes after its parent, as the server lists them. */
export function departmentTree(rows: readonly DepartmentRow[]): DepartmentNode[] {
  const nodes = new Map<string, { depth: number; below: number; peopleBelow: number }>();
  const parents = new Map(rows.map(({ id, parentId }) => [id, parentId]));
  for (const { id, parentId, people } of rows) {
    const above = parentId === null ? undefined : nodes.get(parentId);
    nodes.set(id, {
      depth: above === undefined ? 0 : above.depth + 1,
      below: 0,
      peopleBelow: people,
    });
    for (let at = parentId; at !== null; at = parents.get(at) ?? null) {
      const node = nodes.get(at);
      if (node === undefined) break;
      node.below += 1;
      node.peopleBelow += people;
    }
  }
  return rows.map((row) => ({
    ...row,
    ...(nodes.get(row.id) ?? { depth: 0, below: 0, peopleBelow: row.people }),
  }));
}
