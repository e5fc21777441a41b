import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import type { DocumentDetail, DocumentVersionDetail } from '@deviceportal/contract/documents';
import type { Translate } from '../i18n/use-t.ts';
import type { ViewerRights } from '../session/viewer-context.tsx';

export interface ActionContext {
  readonly document: DocumentDetail;
  readonly shown: DocumentVersionDetail;
  readonly viewer: Pick<ViewerRights, 'may'>;
  readonly t: Translate;
}

/** Actions on the version on screen. Disabled ones have a reason. */
export function documentActions({
  document,
  shown,
  viewer,
  t,
}: ActionContext): ButtonDropdownProps.Items {
  const permission = 'documents:manage';
  const { version, state } = shown;
  const gone = document.state === 'deprecated' ? t('documents.deprecated') : undefined;
  const item = (
    id: string,
    text: string,
    hindrance: string | undefined,
  ): ButtonDropdownProps.Item => {
    const reason = viewer.may(permission) ? hindrance : t('app.needsPermission', { permission });
    return {
      id,
      text,
      ...(reason === undefined ? {} : { disabled: true, disabledReason: reason }),
    };
  };
  const unless = (fits: boolean, reason: string): string | undefined =>
    gone ?? (fits ? undefined : reason);
  return [
    item('edit', t('documents.edit.action'), gone),
    state === 'review'
      ? item('withdraw', t('documents.review.withdraw', { version }), gone)
      : item(
          'send',
          t('documents.review.send', { version }),
          unless(state === 'draft', t('documents.review.notDraft')),
        ),
    item(
      'default',
      t('documents.setDefault.action', { version }),
      gone ??
        (shown.isDefault
          ? t('documents.setDefault.already')
          : unless(state === 'active', t('documents.setDefault.notActive'))),
    ),
    item(
      'deprecate-version',
      t('documents.deprecateVersion.action', { version }),
      gone ??
        (shown.isDefault
          ? t('documents.deprecateVersion.isDefault')
          : unless(
              state === 'active' || state === 'draft',
              t('documents.deprecateVersion.notNow'),
            )),
    ),
    item('deprecate', t('documents.deprecate.action'), gone),
    { id: 'audit', text: t('commands.result.auditTrail') },
  ];
}
