import { updateProfile, type User } from '@deviceportal/identity-client';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { AccountProblem } from './account-problem.tsx';
import { useAccountAct } from './use-account.ts';

const LONGEST = 128;
const fields = ['name', 'nickname', 'company'] as const;
type Names = Readonly<Record<(typeof fields)[number], string>>;

/** Changes the user’s names at the provider. */
export function EditNamesDialog({
  user,
  onClose,
}: {
  readonly user: User;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const flash = useFlash();
  const [names, setNames] = useState<Names>({
    name: user.name ?? '',
    nickname: user.nickname ?? '',
    company: user.company ?? '',
  });
  const change = useAccountAct(
    (client, updates: Names) => updateProfile(client, updates),
    () => {
      flash.add({ type: 'success', content: t('profile.account.changed') });
      onClose();
    },
  );
  return (
    <ConfirmDialog
      title={t('profile.account.edit')}
      confirmLabel={t('profile.account.save')}
      busy={change.isPending}
      disabled={names.name.trim() === ''}
      error={<AccountProblem error={change.error} />}
      onConfirm={() => change.mutate(names)}
      onCancel={onClose}
    >
      <SpaceBetween size="m">
        {fields.map((field) => (
          <FormField key={field} label={t(`profile.account.${field}`)} stretch>
            <Input
              value={names[field]}
              autoComplete={field === 'company' ? 'organization' : field}
              onChange={({ detail }) =>
                setNames({ ...names, [field]: detail.value.slice(0, LONGEST) })
              }
            />
          </FormField>
        ))}
      </SpaceBetween>
    </ConfirmDialog>
  );
}
