import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { NotificationSetting } from '@deviceportal/contract/notifications';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

/**
 * For each kind: in the portal, by message, both, or neither. Stored for the user, not the browser.
 */
export function NotificationSettings({ onBack }: { readonly onBack: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const queries = useQueryClient();
  const options = api.notifications.getSettings.queryOptions();
  const query = useQuery(options);
  const save = useMutation(
    api.notifications.saveSetting.mutationOptions({
      onMutate: (changed) => {
        queries.setQueryData(options.queryKey, (known) =>
          known?.map((one) => (one.kind === changed.kind ? changed : one)),
        );
      },
      onError: useErrorFlash(),
      onSettled: () => queries.invalidateQueries(options),
    }),
  );
  return (
    <SpaceBetween size="m">
      <Button iconName="angle-left" onClick={onBack}>
        {t('notifications.settings.back')}
      </Button>
      <Box variant="p">{t('notifications.settings.body')}</Box>
      {query.error === null ? null : (
        <ErrorView error={query.error} place="inline" onRetry={() => void query.refetch()} />
      )}
      {query.isPending ? <Spinner /> : null}
      {query.data?.map((one) => (
        <Setting key={one.kind} one={one} onChange={(changed) => save.mutate(changed)} />
      ))}
    </SpaceBetween>
  );
}

function Setting({
  one,
  onChange,
}: {
  readonly one: NotificationSetting;
  readonly onChange: (changed: NotificationSetting) => void;
}): ReactNode {
  const t = useT();
  const name = t(`notifications.kind.${one.kind}`);
  return (
    <div role="group" aria-label={name}>
      <Box variant="strong">{name}</Box>
      <SpaceBetween direction="horizontal" size="m">
        <Checkbox
          checked={one.portal}
          onChange={({ detail }) => onChange({ ...one, portal: detail.checked })}
        >
          {t('notifications.settings.portal')}
        </Checkbox>
        <Checkbox
          checked={one.message}
          onChange={({ detail }) => onChange({ ...one, message: detail.checked })}
        >
          {t('notifications.settings.message')}
        </Checkbox>
      </SpaceBetween>
    </div>
  );
}
