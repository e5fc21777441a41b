import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

export interface CopyableIdProps {
  readonly value: string | null | undefined;
  /** The name of the value for screen readers and the tooltip: "serial number". */
  readonly name?: string;
  /** A shortened value to show instead. */
  readonly shown?: string;
}

/** An identifier in monospace with a copy button. A hyphen without a value. */
export function CopyableId({ value, name, shown }: CopyableIdProps): ReactNode {
  const t = useT();
  if (!value) return '-';
  return (
    <span className="dp-id">
      <CopyToClipboard
        variant="inline"
        textToCopy={value}
        {...(shown === undefined ? {} : { textToDisplay: shown })}
        copyButtonAriaLabel={t('app.copy.label', { name: name ?? value })}
        copySuccessText={t('app.copy.done')}
        copyErrorText={t('app.copy.failed')}
      />
    </span>
  );
}
