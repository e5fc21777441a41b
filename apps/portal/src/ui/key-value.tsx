import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { ReactNode } from 'react';

export interface KeyValueItem {
  readonly label: string;
  readonly value: ReactNode;
}

/** Facts in columns; a hyphen where a value is missing. */
export function KeyValue({
  items,
  columns = 3,
}: {
  readonly items: readonly KeyValueItem[];
  readonly columns?: number;
}): ReactNode {
  return (
    <KeyValuePairs
      columns={columns}
      items={items.map(({ label, value }) => ({
        label,
        value: value === null || value === undefined || value === '' ? '-' : value,
      }))}
    />
  );
}
