import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SamlMetadata } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';

/** Fills in the form from the metadata of the service provider. */
export function SamlMetadataField({
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
          stretch
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
