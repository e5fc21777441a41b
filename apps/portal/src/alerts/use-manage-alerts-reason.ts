import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** The reason for which the viewer cannot change alert rules. Undefined if the viewer can. */
export function useManageAlertsReason(): string | undefined {
  const t = useT();
  const { may } = useViewer();
  return may('alerts:manage')
    ? undefined
    : t('app.needsPermission', { permission: 'alerts:manage' });
}
