import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SamlMetadata, SamlServiceRow } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { AddressLines, linesOf } from './address-lines.tsx';
import { ApplicationSelect } from './application-select.tsx';
import { useProviderChanged } from './use-provider-changed.ts';

const FIELDS = ['entityId', 'acsUrls', 'logoutUrl', 'certificate'];

interface Draft {
  readonly entityId: string;
  readonly acsUrls: string;
  readonly logoutUrl: string;
  readonly certificate: string;
}

function draftOf(service: SamlMetadata | undefined): Draft {
  return {
    entityId: service?.entityId ?? '',
    acsUrls: service?.acsUrls.join('\n') ?? '',
    logoutUrl: service?.logoutUrl ?? '',
    certificate: service?.certificate ?? '',
  };
}

/** A service provider: read from its metadata, or typed. */
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
  const [draft, setDraft] = useState(() => draftOf(service));
  const change = (part: Partial<Draft>): void => setDraft((old) => ({ ...old, ...part }));
  const save = useMutation(
    api.provider.samlServices.save.mutationOptions({
      onSuccess: () => {
        onClose();
        changed(t('identityProvider.saved', { name: draft.entityId }));
      },
    }),
  );
  const issues = fieldIssues(save.error, t);
  const wrong = (field: string, words: string) => issues.has(field) && { errorText: words };
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
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
      >
        <ApplicationSelect chosen={appId} disabled={service !== undefined} onChange={setAppId} />
      </FormField>
      <MetadataField onRead={(metadata) => setDraft(draftOf(metadata))} />
      <FormField
        label={t('identityProvider.samlService.entityId')}
        {...wrong('entityId', t('identityProvider.wrong.entityId'))}
      >
        <Input
          value={draft.entityId}
          spellcheck={false}
          onChange={({ detail }) => change({ entityId: detail.value })}
        />
      </FormField>
      <AddressLines
        label={t('identityProvider.samlService.acs')}
        hint={t('identityProvider.samlService.acsHint')}
        error={issues.has('acsUrls') ? t('identityProvider.wrong.address') : undefined}
        value={draft.acsUrls}
        onChange={(acsUrls) => change({ acsUrls })}
      />
      <FormField
        label={t('identityProvider.samlService.logout')}
        {...wrong('logoutUrl', t('identityProvider.wrong.address'))}
      >
        <Input
          value={draft.logoutUrl}
          spellcheck={false}
          onChange={({ detail }) => change({ logoutUrl: detail.value })}
        />
      </FormField>
      <FormField
        label={t('identityProvider.samlService.certificate')}
        description={t('identityProvider.samlService.certificateHint')}
        {...wrong('certificate', t('identityProvider.wrong.certificate'))}
      >
        <Textarea
          value={draft.certificate}
          rows={4}
          spellcheck={false}
          placeholder="-----BEGIN CERTIFICATE-----"
          onChange={({ detail }) => change({ certificate: detail.value })}
        />
      </FormField>
    </FormDialog>
  );
}

/** Fills the form in from what the service provider publishes. */
function MetadataField({
  onRead,
}: {
  readonly onRead: (metadata: SamlMetadata) => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const [metadata, setMetadata] = useState('');
  const read = useMutation(
    api.provider.samlServices.readMetadata.mutationOptions({ onSuccess: onRead }),
  );
  return (
    <ExpandableSection headerText={t('identityProvider.samlService.fromMetadata')} defaultExpanded>
      <SpaceBetween size="xs">
        <FormField
          label={t('identityProvider.samlService.metadata')}
          description={t('identityProvider.samlService.metadataHint')}
          {...(read.isError && { errorText: t('identityProvider.wrong.metadata') })}
        >
          <Textarea
            value={metadata}
            rows={4}
            spellcheck={false}
            placeholder="<EntityDescriptor …>"
            onChange={({ detail }) => setMetadata(detail.value)}
          />
        </FormField>
        <Button
          formAction="none"
          loading={read.isPending}
          disabled={metadata.trim() === ''}
          onClick={() => read.mutate({ metadata })}
        >
          {t('identityProvider.samlService.read')}
        </Button>
      </SpaceBetween>
    </ExpandableSection>
  );
}
