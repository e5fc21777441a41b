import { describe, expect, test } from 'vitest';
import { plainPermissions } from '@deviceportal/contract/permissions';
import { createAppRouter, type AppRouterDependencies } from '../../src/api/app-router.ts';

// Building the router uses none of its dependencies.
const router = createAppRouter({} as AppRouterDependencies);
const procedures = Object.entries(
  router._def.procedures as unknown as Record<
    string,
    { _def: { meta?: { permission?: unknown } } }
  >,
);

describe('every procedure', () => {
  test.each(procedures)('[rights-1] %s names the permission it needs', (_path, procedure) => {
    const needed = [procedure._def.meta?.permission].flat();
    expect(needed.length).toBeGreaterThan(0);
    for (const permission of needed) {
      const known =
        ['session', 'admitted', 'signed-in', 'commands:run'].some(
          (level) => level === permission,
        ) ||
        (typeof permission === 'string' && permission.startsWith('commands:run:')) ||
        plainPermissions.some((plain) => plain === permission);
      expect(known, String(permission)).toBe(true);
    }
  });
});
