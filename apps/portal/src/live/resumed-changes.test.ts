import { expect, it } from 'vitest';
import type { Watch } from '@deviceportal/contract/live-channel';
import { matchesWatch } from './matches-watch.ts';
import { resumedChanges } from './resumed-changes.ts';

it('every screen that may have missed changes refreshes', () => {
  const watches: Watch[] = [
    { kind: 'devices', ids: ['a', 'b'] },
    { kind: 'audit-trail', deviceId: null },
    { kind: 'audit-trail', deviceId: 'a' },
    { kind: 'fleet' },
  ];
  for (const watch of watches)
    expect(resumedChanges([watch]).some((change) => matchesWatch(watch, change))).toBe(true);
});
