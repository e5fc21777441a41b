import {
  createElement,
  memo,
  useInsertionEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';

type Props = Readonly<Record<string, unknown>>;
type Part = ComponentType<Props>;

/** Only used while a cell is edited in place. Cloudscape passes new ones with every render. */
const EDITING: ReadonlySet<string> = new Set(['onEditStart', 'onEditEnd', 'submitEdit']);

/**
 * A cell of Cloudscape’s table that renders when its row, column, or state has changed, instead of
 * whenever the table renders: selecting a row changes three of them. The build replaces the cells of
 * Cloudscape by these (`build/render-changed-cells.ts`).
 */
export function bodyCell(Cell: Part): Part {
  return memo(Cell, isSame);
}

/** The same for the cell with the checkbox of a row. */
export function selectionCell(Cell: Part): Part {
  const Kept = memo(Cell, isSame);
  return function SelectionCell({ selectionControlProps, ...props }): ReactNode {
    const control = useLatestHandlers(selectionControlProps as Props | undefined);
    return createElement(Kept, { ...props, selectionControlProps: control });
  };
}

/** The same for the header of a column. */
export function headerCell(Cell: Part): Part {
  const Kept = memo(Cell, isSame);
  return function HeaderCell(props): ReactNode {
    return createElement(Kept, useLatestHandlers(props) ?? props);
  };
}

/** The properties with handlers that never change, and that call those of the latest render. */
function useLatestHandlers(props: Props | undefined): Props | undefined {
  const [handlers] = useState(() => new LatestHandlers());
  useInsertionEffect(() => handlers.follow(props));
  return props === undefined ? undefined : handlers.replaceIn(props);
}

class LatestHandlers {
  #latest: Props | undefined;
  readonly #stable = new Map<string, (...input: unknown[]) => unknown>();

  follow(props: Props | undefined): void {
    this.#latest = props;
  }

  replaceIn(props: Props): Props {
    return Object.fromEntries(
      Object.entries(props).map(([name, value]) => [
        name,
        typeof value === 'function' ? this.#handlerOf(name) : value,
      ]),
    );
  }

  #handlerOf(name: string): (...input: unknown[]) => unknown {
    const known = this.#stable.get(name);
    if (known !== undefined) return known;
    const handler = (...input: unknown[]): unknown => {
      const current = this.#latest?.[name];
      return typeof current === 'function' ? (current(...input) as unknown) : undefined;
    };
    this.#stable.set(name, handler);
    return handler;
  }
}

/** Styles and the properties of a checkbox are compared by their values. */
const BY_VALUES: ReadonlySet<string> = new Set(['resizableStyle', 'selectionControlProps']);

export function isSame(before: Props, after: Props): boolean {
  // A loop, because it runs for every cell whenever a table renders.
  for (const name in after) {
    if (before[name] !== after[name] && !isSameValue(name, before, after)) return false;
  }
  return hasSameNames(before, after);
}

function isSameValue(name: string, before: Props, after: Props): boolean {
  const one = before[name];
  const other = after[name];
  if (EDITING.has(name)) return after['isEditable'] !== true && after['isEditing'] !== true;
  // Cells subscribe to the store, and read nothing else that can change.
  if (name === 'stickyState') return storeOf(one) === storeOf(other);
  return BY_VALUES.has(name) && isRecord(one) && isRecord(other) && hasSameValues(one, other);
}

const hasSameValues = (one: Props, other: Props): boolean =>
  hasSameNames(one, other) && Object.keys(one).every((name) => one[name] === other[name]);

function hasSameNames(one: Props, other: Props): boolean {
  for (const name in one) if (!(name in other)) return false;
  return Object.keys(one).length === Object.keys(other).length;
}

const isRecord = (value: unknown): value is Props => typeof value === 'object' && value !== null;
const storeOf = (value: unknown): unknown => (isRecord(value) ? value['store'] : undefined);
