import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import type { ReactNode } from 'react';

export interface RowAct {
  readonly id: string;
  readonly text: string;
  /** Why it cannot be done. */
  readonly reason?: string | undefined;
  readonly onAct: () => void;
}

/** What can be done with one row of a table. */
export function RowMenu({
  label,
  acts,
}: {
  readonly label: string;
  readonly acts: readonly RowAct[];
}): ReactNode {
  return (
    <ButtonDropdown
      variant="inline-icon"
      expandToViewport
      ariaLabel={label}
      items={acts.map(({ id, text, reason }) => ({
        id,
        text,
        ...(reason !== undefined && { disabled: true, disabledReason: reason }),
      }))}
      onItemClick={({ detail }) => acts.find(({ id }) => id === detail.id)?.onAct()}
    />
  );
}
