import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useEffect, useRef, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { ChangedTarget } from './changed-target.ts';

export interface ChangedTargetAlertProps {
  readonly changed: ChangedTarget;
  /** Reloads the devices. */
  readonly onReload: () => void;
}

/** States which devices were added and removed since they were shown, and that nothing was sent. */
export function ChangedTargetAlert({ changed, onReload }: ChangedTargetAlertProps): ReactNode {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In a block, because newer browsers return a promise, which React would take for a cleanup
    // function.
    place.current?.scrollIntoView({ block: 'center' });
  }, []);
  const { added, removed, addedDevices, removedDevices } = changed;
  return (
    <div ref={place}>
      <Alert
        type="warning"
        header={t('commands.target.changed')}
        action={<Button onClick={onReload}>{t('commands.target.reload')}</Button>}
      >
        {added === 0 && removed === 0 ? null : (
          <ul className="dp-command-list">
            {added === 0 ? null : (
              <li>{t('commands.target.added', { count: added, devices: addedDevices })}</li>
            )}
            {removed === 0 ? null : (
              <li>{t('commands.target.removed', { count: removed, devices: removedDevices })}</li>
            )}
          </ul>
        )}
        <Box>{t('commands.target.changedAct')}</Box>
      </Alert>
    </div>
  );
}
