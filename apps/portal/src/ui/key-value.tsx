import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { ReactNode } from 'react';

export interface KeyValueItem {
  readonly label: string;
  readonly value: ReactNode;
}

/** Key-value pairs in columns. A hyphen for missing values. */
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
