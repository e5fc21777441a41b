import { describe, expect, it } from 'vitest';
import type { SavedView } from '@deviceportal/contract/devices';
import { isChanged, searchOfView, viewSearchOf } from './saved-views.ts';

const view = (search: Record<string, string>): SavedView => ({
  id: 'v',
  name: 'v',
  screen: 'devices',
  search,
  mine: true,
  sharedWithRole: null,
  builtin: false,
});

describe('saved views of the device list', () => {
  it('a view restores the address that it was saved from', () => {
    const search = { q: 'country=CN;model=Edge', op: 'or', sort: 'name', targets: '' };
    const saved = view(viewSearchOf(search));
    expect(saved.search).toEqual({ q: 'country=CN;model=Edge', op: 'or', sort: 'name' });
    expect(searchOfView(saved)).toEqual(search);
    expect(isChanged(saved, search)).toBe(false);
  });

  it('another filter, sort, or list is an unsaved change', () => {
    const saved = view({ q: 'country=CN' });
    const same = { q: 'country=CN', op: 'and', sort: '', targets: '' };
    expect(isChanged(saved, { ...same, q: 'country=DE' })).toBe(true);
    expect(isChanged(saved, { ...same, sort: '-name' })).toBe(true);
    expect(isChanged(saved, same)).toBe(false);
  });
});
