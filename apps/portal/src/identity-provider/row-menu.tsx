import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import type { ReactNode } from 'react';

export interface RowAct {
  readonly id: string;
  readonly text: string;
  /** The reason for which the action is disabled. */
  readonly reason?: string | undefined;
  readonly onAct: () => void;
}

/** The actions of a table row. */
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
