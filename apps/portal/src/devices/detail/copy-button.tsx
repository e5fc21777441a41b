import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';

export interface CopyButtonProps {
  readonly value: string;
  /** The name of the value for screen readers and the tooltip: "serial number". */
  readonly name: string;
}

/** Copies the value next to it. */
export function CopyButton({ value, name }: CopyButtonProps): ReactNode {
  const t = useT();
  return (
    <CopyToClipboard
      variant="icon"
      textToCopy={value}
      copyButtonAriaLabel={t('app.copy.label', { name })}
      copySuccessText={t('app.copy.done')}
      copyErrorText={t('app.copy.failed')}
    />
  );
}
