import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** Why the viewer cannot change anything at the provider; undefined where they can. */
export function useProviderReason(): string | undefined {
  const t = useT();
  const { may } = useViewer();
  return may('provider:manage')
    ? undefined
    : t('app.needsPermission', { permission: 'provider:manage' });
}

/** The same as a button or menu takes it. */
export function because(reason: string | undefined): {
  readonly disabled?: true;
  readonly disabledReason?: string;
} {
  return reason === undefined ? {} : { disabled: true, disabledReason: reason };
}
