import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  WEBHOOK_LIMITS,
  webhookEventTypes,
  type WebhookEventType,
  type WebhookRow,
  type WebhookSecret,
} from '@deviceportal/contract/webhooks';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { fieldIssues } from '../ui/field-issues.ts';

const FIELDS = ['name', 'url', 'eventTypes'];

/** Creates a webhook, or changes one. The address of a saved one is not shown, and kept if none is entered. */
export function SaveWebhookDialog({
  webhook,
  onCreated,
  onChanged,
  onClose,
}: {
  readonly webhook: WebhookRow | undefined;
  readonly onCreated: (made: WebhookSecret, name: string) => void;
  readonly onChanged: (name: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState('');
  const [eventTypes, setEventTypes] = useState<readonly WebhookEventType[]>(
    webhook?.eventTypes ?? [],
  );
  const create = useMutation(
    api.webhooks.create.mutationOptions({ onSuccess: (made) => onCreated(made, name) }),
  );
  const change = useMutation(
    api.webhooks.change.mutationOptions({ onSuccess: () => onChanged(name) }),
  );
  const used = webhook === undefined ? create : change;
  const issues = fieldIssues(used.error, t);
  const given = { name, eventTypes: [...eventTypes] };
  const address = url.trim();
  return (
    <FormDialog
      title={
        webhook === undefined
          ? t('webhooks.createTitle')
          : t('webhooks.editTitle', { name: webhook.name })
      }
      submitLabel={webhook === undefined ? t('webhooks.create') : t('webhooks.save')}
      busy={used.isPending}
      error={used.error}
      fields={FIELDS}
      disabled={
        name.trim() === '' || eventTypes.length === 0 || (webhook === undefined && address === '')
      }
      onSubmit={() =>
        webhook === undefined
          ? create.mutate({ ...given, url: address })
          : change.mutate({ ...given, id: webhook.id, url: address === '' ? null : address })
      }
      onCancel={onClose}
    >
      <FormField label={t('webhooks.name')} errorText={issues.get('name')}>
        <Input
          value={name}
          autoComplete={false}
          onChange={({ detail }) => setName(detail.value.slice(0, WEBHOOK_LIMITS.nameCharacters))}
        />
      </FormField>
      <FormField
        label={t('webhooks.address')}
        description={
          webhook === undefined
            ? t('webhooks.addressHint')
            : t('webhooks.addressKept', { host: webhook.host })
        }
        errorText={issues.get('url')}
      >
        <Input
          type="url"
          value={url}
          placeholder="https://"
          autoComplete={false}
          spellcheck={false}
          onChange={({ detail }) => setUrl(detail.value.slice(0, WEBHOOK_LIMITS.urlCharacters))}
        />
      </FormField>
      <EventTypes chosen={eventTypes} problem={issues.get('eventTypes')} onChange={setEventTypes} />
    </FormDialog>
  );
}

function EventTypes({
  chosen,
  problem,
  onChange,
}: {
  readonly chosen: readonly WebhookEventType[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: readonly WebhookEventType[]) => void;
}): ReactNode {
  const t = useT();
  const options = webhookEventTypes.map((value) => ({
    value,
    label: value,
    description: t(`webhooks.event.${value}`),
  }));
  return (
    <FormField
      label={t('webhooks.eventTypes')}
      description={t('webhooks.eventTypesHint')}
      errorText={problem}
    >
      <Multiselect
        options={options}
        selectedOptions={options.filter(({ value }) => chosen.includes(value))}
        placeholder={t('webhooks.chooseEventTypes')}
        filteringType="auto"
        enableSelectAll
        i18nStrings={{ selectAllText: t('webhooks.allEventTypes') }}
        deselectAriaLabel={({ label }) => t('webhooks.removeEventType', { type: label ?? '' })}
        onChange={({ detail }) => {
          const values = new Set(detail.selectedOptions.map(({ value }) => value));
          onChange(webhookEventTypes.filter((type) => values.has(type)));
        }}
      />
    </FormField>
  );
}
