import { describe, expect, it } from 'vitest';
import { emptyRole, roleDifference } from './role-draft.ts';

describe('a change of a role', () => {
  it('lists additions and removals, and nothing if only the order differs', () => {
    const before = {
      ...emptyRole,
      permissions: ['devices:read', 'people:read'] as const,
      countries: ['DE', 'FR'],
    };
    expect(roleDifference(before, { ...before, countries: ['FR', 'DE'] })).toEqual({
      added: [],
      removed: [],
      isScopeChanged: false,
    });
    expect(
      roleDifference(before, {
        ...before,
        permissions: ['devices:read', 'cases:read'],
        countries: [],
      }),
    ).toEqual({ added: ['cases:read'], removed: ['people:read'], isScopeChanged: true });
  });
});
