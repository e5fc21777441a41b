import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';

/**
 * Accepts pasted serial numbers of several devices, stored as a list whose ID is in the address.
 */
export function SerialNumbersPicker({
  onPick,
}: {
  readonly onPick: (targetListId: string) => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const [text, setText] = useState('');
  const create = useMutation(
    api.devices.createTargetList.mutationOptions({ onSuccess: (list) => onPick(list.id) }),
  );
  return (
    <ExpandableSection headerText={t('commands.target.several')}>
      <SpaceBetween size="s">
        <FormField
          label={t('commands.target.serialNumbers')}
          description={t('commands.target.serialNumbersHint')}
          stretch
        >
          <Textarea
            value={text}
            rows={4}
            spellcheck={false}
            onChange={({ detail }) => setText(detail.value)}
          />
        </FormField>
        {create.isError ? <ErrorView error={create.error} place="alert" /> : null}
        <SpaceBetween direction="horizontal" size="s" alignItems="center">
          <Button
            disabled={text.trim() === ''}
            loading={create.isPending}
            onClick={() => create.mutate({ text })}
          >
            {t('commands.target.useThese')}
          </Button>
          <PortalLink href="/devices">{t('commands.target.fromList')}</PortalLink>
        </SpaceBetween>
      </SpaceBetween>
    </ExpandableSection>
  );
}
