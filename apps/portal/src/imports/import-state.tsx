import StatusIndicator, {
  type StatusIndicatorProps,
} from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { ImportState } from '@deviceportal/contract/imports';
import { useT } from '../i18n/use-t.ts';

const icons: Readonly<Record<ImportState, StatusIndicatorProps.Type>> = {
  uploading: 'pending',
  checking: 'in-progress',
  ready: 'pending',
  applying: 'in-progress',
  applied: 'success',
  undoing: 'in-progress',
  undone: 'stopped',
  rejected: 'error',
  discarded: 'stopped',
};

export function ImportStateOf({ state }: { readonly state: ImportState }): ReactNode {
  const t = useT();
  return <StatusIndicator type={icons[state]}>{t(`imports.state.${state}`)}</StatusIndicator>;
}
