import { describe, expect, test } from 'vitest';
import { auditDifference } from './audit-changes.ts';

describe('changes of an event', () => {
  test('lists only differences, with the previous values', () => {
    const { changes, coveredFields } = auditDifference({
      before: { name: 'Till 4', model: 'X1', country: null },
      after: { name: 'Till 5', model: 'X1', country: 'DE' },
      reason: 'moved',
    });
    expect(changes).toEqual([
      { field: 'name', before: 'Till 4', after: 'Till 5' },
      { field: 'country', before: null, after: 'DE' },
    ]);
    expect(coveredFields).toEqual(['before', 'after']);
  });

  test('lists added and removed entries of arrays at any depth', () => {
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

  test('reads every form of recording: from and to, paired fields, added and removed, list of changes', () => {
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

  test('an event without changes lists none, and its data stays unchanged', () => {
    expect(auditDifference({ command: 'logs/tail', targets: 3 })).toEqual({
      changes: [],
      coveredFields: [],
    });
  });
});
