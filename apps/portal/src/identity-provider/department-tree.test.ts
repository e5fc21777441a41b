import { expect, test } from 'vitest';
import { departmentTree } from './department-tree.ts';

const row = (id: string, parentId: string | null, people: number) => ({
  ...{ id, parentId, people, name: id, code: null, description: '' },
});

test('the effect of deleting a department includes everything below it', () => {
  const tree = departmentTree([
    row('corp', null, 1),
    row('sales', 'corp', 2),
    row('north', 'sales', 4),
    row('lab', 'corp', 8),
    row('other', null, 16),
  ]);
  expect(tree.map(({ id, depth, below, peopleBelow }) => [id, depth, below, peopleBelow])).toEqual([
    ['corp', 0, 3, 15],
    ['sales', 1, 1, 6],
    ['north', 2, 0, 4],
    ['lab', 1, 0, 8],
    ['other', 0, 0, 16],
  ]);
});
