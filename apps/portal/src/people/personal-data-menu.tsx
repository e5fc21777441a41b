import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { PersonReference } from '@deviceportal/contract/personal-data';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { downloadFrom } from '../ui/download-from.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

const EraseDialog = lazy(async () => ({
  default: (await import('./erase-person-dialog.tsx')).ErasePersonDialog,
}));

/** Exports or permanently erases all data held about a person. */
export function PersonalDataMenu({ person }: { readonly person: PersonReference }): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const [erasing, setErasing] = useState(false);
  const record = useMutation(
    api.personalData.export.mutationOptions({
      onError: useErrorFlash(),
      onSuccess: ({ downloadUrl, fileName }) => downloadFrom(downloadUrl, fileName),
    }),
  );
  if (!may('people:export') && !may('people:erase')) return null;
  const needs = (permission: 'people:export' | 'people:erase') =>
    may(permission)
      ? {}
      : { disabled: true, disabledReason: t('app.needsPermission', { permission }) };
  return (
    <>
      <ButtonDropdown
        expandToViewport
        loading={record.isPending}
        items={[
          { id: 'export', text: t('people.data.export'), ...needs('people:export') },
          { id: 'erase', text: t('people.data.erase'), ...needs('people:erase') },
        ]}
        onItemClick={({ detail }) => {
          if (detail.id === 'erase') setErasing(true);
          else record.mutate(person);
        }}
      >
        {t('people.data')}
      </ButtonDropdown>
      {erasing ? (
        <Suspense>
          <EraseDialog person={person} onClose={() => setErasing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
