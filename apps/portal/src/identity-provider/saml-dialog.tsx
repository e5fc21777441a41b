import FormField from '@cloudscape-design/components/form-field';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SamlServiceRow } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { linesOf } from './address-lines.tsx';
import { ApplicationSelect } from './application-select.tsx';
import { SamlMetadataField } from './saml-metadata-field.tsx';
import { samlDraftOf, SamlServiceFields, type SamlDraft } from './saml-service-fields.tsx';
import { useProviderChanged } from './use-provider-changed.ts';

const FIELDS = ['entityId', 'acsUrls', 'logoutUrl', 'certificate'];

/** Registers or edits a service provider, from its metadata or by hand. */
export function SamlDialog({
  service,
  onClose,
}: {
  readonly service?: SamlServiceRow;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const [appId, setAppId] = useState(service?.appId ?? '');
  const [draft, setDraft] = useState(() => samlDraftOf(service));
  const change = (part: Partial<SamlDraft>): void => setDraft((old) => ({ ...old, ...part }));
  const save = useMutation(
    api.provider.samlServices.save.mutationOptions({
      onSuccess: () => {
        onClose();
        changed(t('identityProvider.saved', { name: draft.entityId }));
      },
    }),
  );
  const issues = fieldIssues(save.error, t);
  return (
    <FormDialog
      title={t(
        service === undefined
          ? 'identityProvider.samlService.create'
          : 'identityProvider.samlService.edit',
      )}
      submitLabel={t('identityProvider.act.save')}
      size="large"
      busy={save.isPending}
      error={save.error}
      fields={FIELDS}
      disabled={appId === '' || draft.entityId.trim() === '' || linesOf(draft.acsUrls).length === 0}
      onSubmit={() =>
        save.mutate({
          appId,
          entityId: draft.entityId,
          acsUrls: linesOf(draft.acsUrls),
          logoutUrl: orNull(draft.logoutUrl),
          certificate: orNull(draft.certificate),
          basedOn: service?.modifiedAt ?? null,
        })
      }
      onCancel={onClose}
    >
      <FormField
        label={t('identityProvider.key.application')}
        description={t('identityProvider.samlService.oneEach')}
        stretch
      >
        <ApplicationSelect chosen={appId} disabled={service !== undefined} onChange={setAppId} />
      </FormField>
      <SamlMetadataField onRead={(metadata) => setDraft(samlDraftOf(metadata))} />
      <SamlServiceFields draft={draft} issues={issues} onChange={change} />
    </FormDialog>
  );
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
