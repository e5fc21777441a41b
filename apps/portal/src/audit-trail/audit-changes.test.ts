import { describe, expect, test } from 'vitest';
import { auditDifference } from './audit-changes.ts';

describe('what an event changed', () => {
  test('[audit-diff-1] only what differs is told, with what it was before', () => {
    const { changes, told } = auditDifference({
      before: { name: 'Till 4', model: 'X1', country: null },
      after: { name: 'Till 5', model: 'X1', country: 'DE' },
      reason: 'moved',
    });
    expect(changes).toEqual([
      { field: 'name', before: 'Till 4', after: 'Till 5' },
      { field: 'country', before: null, after: 'DE' },
    ]);
    expect(told).toEqual(['before', 'after']);
  });

  test('[audit-diff-2] of lists it is told what came and what went, however deep they stand', () => {
    const { changes } = auditDifference({
      before: { permissions: ['devices:read', 'people:read'], scope: { countries: ['DE'] } },
      after: { permissions: ['devices:read'], scope: { countries: ['DE', 'FR'] } },
      added: [],
      removed: ['people:read'],
    });
    expect(changes).toEqual([
      { field: 'permissions', before: 'people:read', after: null },
      { field: 'scope.countries', before: null, after: 'FR' },
    ]);
  });

  test('[audit-diff-3] however it was recorded: from and to, beside each other, in and out, part by part', () => {
    expect(auditDifference({ from: 'draft', to: 'approved' }).changes).toEqual([
      { field: '', before: 'draft', after: 'approved' },
    ]);
    expect(auditDifference({ ticket: 'T-2', ticketBefore: 'T-1' }).changes).toEqual([
      { field: 'ticket', before: 'T-1', after: 'T-2' },
    ]);
    expect(auditDifference({ added: ['Support'], removed: ['Viewer'] }).changes).toEqual([
      { field: '', before: null, after: 'Support' },
      { field: '', before: 'Viewer', after: null },
    ]);
    const changes = [{ component: 'agent', before: '1.0.0', after: '1.1.0' }];
    expect(auditDifference({ changes }).changes).toEqual([
      { field: 'agent', before: '1.0.0', after: '1.1.0' },
    ]);
  });

  test('[audit-diff-4] an event that changed nothing tells nothing, and leaves its data alone', () => {
    expect(auditDifference({ command: 'logs/tail', targets: 3 })).toEqual({
      changes: [],
      told: [],
    });
  });
});
