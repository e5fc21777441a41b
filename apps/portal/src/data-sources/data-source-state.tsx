import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { DataSourceState as State } from '@deviceportal/contract/states';
import { useLanguage } from '../i18n/language-store.ts';
import { StatusOf, wordOf } from '../ui/status-of.tsx';

export interface DataSourceStateProps {
  readonly state: State;
  /** Text after the state. */
  readonly detail?: string;
}

/** The state of a data source. An icon for each embedded one would distract from the others. */
export function DataSourceState({ state, detail }: DataSourceStateProps): ReactNode {
  const language = useLanguage();
  if (state === 'embedded') {
    return <Box color="text-body-secondary">{wordOf('dataSource', state, language)}</Box>;
  }
  return (
    <StatusOf
      kind="dataSource"
      value={state}
      {...(detail === undefined ? {} : { detail: `· ${detail}` })}
    />
  );
}
