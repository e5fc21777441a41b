import Badge, { type BadgeProps } from '@cloudscape-design/components/badge';
import type { ReactNode } from 'react';
import type { Consequence } from '@deviceportal/contract/permissions';
import { useCommandWords } from './use-command-words.ts';

const colours: Readonly<Record<Consequence, NonNullable<BadgeProps['color']>>> = {
  reads: 'green',
  changes: 'blue',
  disrupts: 'severity-medium',
  destroys: 'red',
};

/** How far a command reaches, in a word; the colour only adds to it. */
export function ConsequenceBadge({
  consequence,
}: {
  readonly consequence: Consequence;
}): ReactNode {
  const words = useCommandWords();
  return <Badge color={colours[consequence]}>{words.consequence(consequence)}</Badge>;
}
