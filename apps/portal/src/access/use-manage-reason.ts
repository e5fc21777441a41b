import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** Why the viewer cannot change access; undefined where they can. */
export function useManageReason(): string | undefined {
  const t = useT();
  const { may } = useViewer();
  return may('access:manage')
    ? undefined
    : t('app.needsPermission', { permission: 'access:manage' });
}
