import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** The reason for which the viewer cannot change access. Undefined if the viewer can. */
export function useManageDisabledReason(): string | undefined {
  const t = useT();
  const { may } = useViewer();
  return may('access:manage')
    ? undefined
    : t('app.needsPermission', { permission: 'access:manage' });
}
