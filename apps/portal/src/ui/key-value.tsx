import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { ReactNode } from 'react';

export interface KeyValueItem {
  readonly label: string;
  readonly value: ReactNode;
}

/** Pixels. A phone has no space for two such columns. */
const LONG_VALUE_PX = 180;

export interface KeyValueProps {
  readonly items: readonly KeyValueItem[];
  readonly columns?: number;
  /** Values such as digests, which would be broken into many lines on a phone. */
  readonly hasLongValues?: boolean;
}

/** Key-value pairs in columns. A hyphen for missing values. */
export function KeyValue({ items, columns = 3, hasLongValues = false }: KeyValueProps): ReactNode {
  return (
    <KeyValuePairs
      columns={columns}
      {...(hasLongValues && { minColumnWidth: LONG_VALUE_PX })}
      items={items.map(({ label, value }) => ({
        label,
        value: value === null || value === undefined || value === '' ? '-' : value,
      }))}
    />
  );
}
