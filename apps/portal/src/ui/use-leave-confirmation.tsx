import { useBlocker } from '@tanstack/react-router';
import { useCallback, useRef, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

export interface LeaveConfirmation {
  /** The changes are saved, so the page can be left. */
  readonly saved: () => void;
  readonly dialog: ReactNode;
}

/** Asks before a page with unsaved changes is left. The browser asks when the tab is closed. */
export function useLeaveConfirmation(isUnsaved: boolean): LeaveConfirmation {
  const t = useT();
  const isSaved = useRef(false);
  const holds = useCallback(() => isUnsaved && !isSaved.current, [isUnsaved]);
  const blocker = useBlocker({
    shouldBlockFn: holds,
    enableBeforeUnload: holds,
    withResolver: true,
  });
  return {
    saved: () => {
      isSaved.current = true;
    },
    dialog:
      blocker.status === 'blocked' ? (
        <ConfirmDialog
          title={t('app.leave.title')}
          confirmLabel={t('app.leave.act')}
          onConfirm={blocker.proceed}
          onCancel={blocker.reset}
        >
          {t('app.leave.body')}
        </ConfirmDialog>
      ) : null,
  };
}
