import Badge, { type BadgeProps } from '@cloudscape-design/components/badge';
import type { ReactNode } from 'react';
import type { Consequence } from '@deviceportal/contract/permissions';
import { useT } from '../../i18n/use-t.ts';

const colors: Readonly<Record<Consequence, NonNullable<BadgeProps['color']>>> = {
  reads: 'green',
  changes: 'blue',
  disrupts: 'severity-medium',
  destroys: 'red',
};

/** The risk of a permission. The text carries the meaning, the color only supports it. */
export function RiskBadge({ risk }: { readonly risk: Consequence }): ReactNode {
  const t = useT();
  return (
    <Badge color={colors[risk]}>
      <span className="dp-nowrap">{t(`access.risk.${risk}`)}</span>
    </Badge>
  );
}
