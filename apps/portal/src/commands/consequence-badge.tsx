import Badge, { type BadgeProps } from '@cloudscape-design/components/badge';
import type { ReactNode } from 'react';
import type { Consequence } from '@deviceportal/contract/permissions';
import { useCommandWords } from './use-command-words.ts';

const colors: Readonly<Record<Consequence, NonNullable<BadgeProps['color']>>> = {
  reads: 'green',
  changes: 'blue',
  disrupts: 'severity-medium',
  destroys: 'red',
};

/** The consequence of a command. The text carries the meaning, the color only supports it. */
export function ConsequenceBadge({
  consequence,
}: {
  readonly consequence: Consequence;
}): ReactNode {
  const words = useCommandWords();
  return <Badge color={colors[consequence]}>{words.consequence(consequence)}</Badge>;
}
