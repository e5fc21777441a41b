import { expect, it } from 'vitest';
import type { Watch } from '@deviceportal/contract/live-channel';
import { concerns } from './concerns.ts';
import { resumedChanges } from './resumed-changes.ts';

it('[resumed-1] every screen whose news may have been missed looks again', () => {
  const watches: Watch[] = [
    { kind: 'devices', ids: ['a', 'b'] },
    { kind: 'audit-trail', deviceId: null },
    { kind: 'audit-trail', deviceId: 'a' },
    { kind: 'fleet' },
  ];
  for (const watch of watches)
    expect(resumedChanges([watch]).some((change) => concerns(watch, change))).toBe(true);
});
