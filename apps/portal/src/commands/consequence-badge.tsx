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

/** How far a command reaches, in a word; the color only adds to it. */
export function ConsequenceBadge({
  consequence,
}: {
  readonly consequence: Consequence;
}): ReactNode {
  const words = useCommandWords();
  return <Badge color={colors[consequence]}>{words.consequence(consequence)}</Badge>;
}
