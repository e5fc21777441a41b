import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** The reason for which the viewer cannot change the provider. Undefined if the viewer can. */
export function useProviderDisabledReason(): string | undefined {
  const t = useT();
  const { may } = useViewer();
  return may('provider:manage')
    ? undefined
    : t('app.needsPermission', { permission: 'provider:manage' });
}

/** The props of a disabled button or menu item with a reason. */
export function disabledProps(reason: string | undefined): {
  readonly disabled?: true;
  readonly disabledReason?: string;
} {
  return reason === undefined ? {} : { disabled: true, disabledReason: reason };
}
