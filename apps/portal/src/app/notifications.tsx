import Flashbar from '@cloudscape-design/components/flashbar';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useStepUpPurpose } from '../step-up/step-up-store.ts';
import { removeFlash, useFlashMessages } from '../ui/flash-store.ts';

/**
 * The flashbar at the top of the page, loaded with the first notification. While the user confirms
 * their identity, the calls that wait for it are not shown as in progress.
 */
export function Notifications(): ReactNode {
  const t = useT();
  const isConfirming = useStepUpPurpose() !== undefined;
  const messages = useFlashMessages().filter(({ type }) => type !== 'in-progress' || !isConfirming);
  return (
    <Flashbar
      stackItems
      items={messages.map((message) => ({
        id: message.id,
        type: message.type,
        header: message.header,
        content: message.content,
        action: message.action,
        dismissible: message.dismissible ?? true,
        dismissLabel: t('app.close'),
        onDismiss: () => removeFlash(message.id),
      }))}
    />
  );
}
