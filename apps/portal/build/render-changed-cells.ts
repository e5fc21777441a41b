import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { editModules, type Edited } from './edit-modules.ts';

const keeper = fileURLToPath(new URL('../src/ui/table/render-when-changed.ts', import.meta.url));

/** Replaces an exported component by one that renders when its properties have changed. */
const kept = (component: string, by: string): Pick<Edited, 'edits' | 'added'> => ({
  edits: [[`export function ${component}(`, `function Every${component}(`]],
  added: `
    import { ${by} } from ${JSON.stringify(keeper)};
    export const ${component} = ${by}(Every${component});`,
});

const changes: readonly Edited[] = [
  { module: '/table/body-cell/index.js', ...kept('TableBodyCell', 'bodyCell') },
  { module: '/table/header-cell/index.js', ...kept('TableHeaderCell', 'headerCell') },
  {
    module: '/table/selection/selection-cell.js',
    ...kept('TableBodySelectionCell', 'selectionCell'),
  },
  {
    // Measures the columns when their widths change, instead of in each render, which interrupts it for a layout.
    module: '/table/use-column-widths.js',
    edits: [
      [
        'const stickyCellsRef = useRef(new Map());',
        'const stickyCellsRef = useRef(new Map()); const measuredRef = useRef(new Map());',
      ],
      [
        'const measured = (_a = cellsRef.current.get(columnId)) === null || _a === void 0 ? void 0 : _a.getBoundingClientRect().width;',
        'const measured = measuredRef.current.get(columnId) || cellsRef.current.get(columnId)?.getBoundingClientRect().width;',
      ],
      [
        'return { width: measured };',
        'measuredRef.current.set(columnId, measured); return { width: measured };',
      ],
      [
        'const syncStickyColumnWidths = useStableCallback(() => {',
        'const syncStickyColumnWidths = useStableCallback(() => { measuredRef.current.clear();',
      ],
      [
        'return (React.createElement(WidthsContext.Provider, { value: { getColumnStyles, columnWidths: columnWidths !== null && columnWidths !== void 0 ? columnWidths : new Map(), updateColumn, updateGroup, setCell, setCol } }, children));',
        `const value = React.useMemo(
          () => ({ getColumnStyles, columnWidths: columnWidths ?? new Map(), updateColumn, updateGroup, setCell, setCol }),
          [columnWidths, visibleColumns, resizableColumns, groupColumnMap],
        );
        return React.createElement(WidthsContext.Provider, { value }, children);`,
      ],
    ],
  },
  {
    // All links in the table render after a change of this value.
    module: '/components/table/internal.js',
    edits: [
      ["value: { defaultVariant: 'primary' }", 'value: primaryLinks'],
      [
        'value: { paginationRef, filterRef, preferencesRef, headerRef }',
        'value: useMemo(() => ({ paginationRef, filterRef, preferencesRef, headerRef }), [])',
      ],
      ['value: { assignId: setHeaderRef }', 'value: labelContext'],
      [
        'const setHeaderRef = useCallback((id) => {',
        'const [labelContext] = React.useState(() => ({ assignId: (id) => setHeaderRef(id) })); const setHeaderRef = useCallback((id) => {',
      ],
    ],
    added: "const primaryLinks = { defaultVariant: 'primary' };",
  },
  {
    // The title and the actions of a table render after a change of this value.
    module: '/components/container/internal.js',
    edits: [
      [
        'value: { isStuck, isStuckAtBottom }',
        'value: stickyStates[(isStuck ? 2 : 0) + (isStuckAtBottom ? 1 : 0)]',
      ],
    ],
    added: `
      const stickyStates = [false, true].flatMap((isStuck) =>
        [false, true].map((isStuckAtBottom) => ({ isStuck, isStuckAtBottom })));`,
  },
  {
    // Searched the whole page for the class of another theme whenever a header, a menu, or an icon rendered.
    module: '/mjs/internal/visual-mode/index.js',
    edits: [
      [
        'return hasThemeClassName(theme) || themeDefinitions[theme].isFlagActive();',
        'return theme === Theme.VisualRefresh;',
      ],
    ],
  },
  {
    // All cells, links, and buttons in the table render after a change of this value.
    module: '/mjs/internal/single-tab-stop/index.js',
    edits: [
      [
        `const value = parentContext.navigationActive
        ? parentContext
        : { navigationReset: false, navigationActive, registerFocusable, updateFocusTarget, resetFocusTarget };`,
        `const own = useStableNavigation(parentContext, { navigationActive, registerFocusable, updateFocusTarget, resetFocusTarget });
    const value = parentContext.navigationActive ? parentContext : own;`,
      ],
    ],
    added: `
      import { useMemo as useMemoOnce } from 'react';
      function useStableNavigation(parent, navigation) {
        const latest = useRef(navigation);
        latest.current = navigation;
        const { navigationActive } = navigation;
        return useMemoOnce(() => ({
          navigationReset: false,
          navigationActive,
          registerFocusable: (...input) => latest.current.registerFocusable(...input),
          updateFocusTarget: (...input) => latest.current.updateFocusTarget(...input),
          resetFocusTarget: () => latest.current.resetFocusTarget(),
        }), [parent, navigationActive]);
      }`,
  },
];

/**
 * Lets the cells of Cloudscape’s table render when they have changed, instead of all of them after
 * every change of the table: selecting a row took three times as long.
 */
export function renderChangedCells(): Plugin {
  return editModules('render-changed-cells', changes);
}
