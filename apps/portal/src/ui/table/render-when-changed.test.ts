import { describe, expect, it } from 'vitest';
import { isSame } from './render-when-changed.ts';

const item = { id: '1' };
const column = { id: 'name' };
const store = {};

/** The properties of a cell, as in each render of the table. */
const cell = (changed: Readonly<Record<string, unknown>> = {}) => ({
  item,
  column,
  isSelected: false,
  isEditable: false,
  isEditing: false,
  resizableStyle: { width: 100, minWidth: 80 },
  stickyState: { store, style: {} },
  onEditStart: () => undefined,
  ...changed,
});

describe('a cell of a table', () => {
  it('is not rendered again when only the objects around the same values are new', () => {
    expect(isSame(cell(), cell())).toBe(true);
  });

  it.each([
    ['its row', { item: { id: '1' } }],
    ['its column', { column: { id: 'name' } }],
    ['the selection of its row', { isSelected: true }],
    ['its width', { resizableStyle: { width: 120, minWidth: 80 } }],
    ['the place of sticky columns', { stickyState: { store: {}, style: {} } }],
    ['a property that it did not have', { level: 2 }],
  ])('is rendered again after a change of %s', (_what, changed) => {
    expect(isSame(cell(), cell(changed))).toBe(false);
    expect(isSame(cell(changed), cell())).toBe(false);
  });

  it('is rendered again while it can be edited, whose handlers depend on the table', () => {
    expect(isSame(cell({ isEditable: true }), cell({ isEditable: true }))).toBe(false);
  });

  it('is rendered again when its checkbox changes', () => {
    const control = (checked: boolean) =>
      cell({ selectionControlProps: { checked, name: 'rows' } });
    expect(isSame(control(false), control(false))).toBe(true);
    expect(isSame(control(false), control(true))).toBe(false);
  });
});
