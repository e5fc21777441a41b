import Button from '@cloudscape-design/components/button';
import ButtonDropdown, {
  type ButtonDropdownProps,
} from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { userActRules, userActs, type UserAct, type UserRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { PersonalDataMenu } from '../../people/personal-data-menu.tsx';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';
import { RemovePasskeysDialog } from './remove-passkeys-dialog.tsx';
import { UserRolesDialog } from './user-roles-dialog.tsx';
import { UserStatusDialog } from './user-status-dialog.tsx';

type Act = UserAct | 'removePasskeys';
type Open = Act | 'roles' | undefined;

/** Actions on the access of a user. Disabled actions show the reason. */
export function UserActions({ user }: { readonly user: UserRow }): ReactNode {
  const t = useT();
  const { detail } = useViewer();
  const [open, setOpen] = useState<Open>();
  const manage = useManageDisabledReason();
  const reason = manage ?? (detail.userId === user.id ? t('access.user.notOneself') : undefined);
  const because = reason === undefined ? {} : { disabled: true, disabledReason: reason };
  const close = (): void => setOpen(undefined);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={() => setOpen('roles')} {...because}>
        {t('access.user.changeRoles')}
      </Button>
      <PersonalDataMenu person={{ kind: 'user', id: user.id }} />
      <StatusMenu user={user} reason={reason} onAct={setOpen} />
      {open === 'roles' ? <UserRolesDialog user={user} onClose={close} /> : null}
      {open === 'removePasskeys' ? <RemovePasskeysDialog user={user} onClose={close} /> : null}
      {isStatusAct(open) ? <UserStatusDialog user={user} act={open} onClose={close} /> : null}
    </SpaceBetween>
  );
}

const isStatusAct = (open: Open): open is UserAct => userActs.some((act) => act === open);

interface StatusMenuProps {
  readonly user: UserRow;
  readonly reason: string | undefined;
  readonly onAct: (act: Act) => void;
}

function StatusMenu({ user, reason, onAct }: StatusMenuProps): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const keepsPeople = useQuery(api.access.users.abilities.queryOptions()).data?.keepsPeople;
  const inviteAgain = useMutation(
    api.access.users.inviteAgain.mutationOptions({
      onError: useErrorFlash(),
      onSuccess: () => {
        flash.add({ type: 'success', content: t('access.invite.sent', { name: user.username }) });
        void queryClient.invalidateQueries(api.auditTrail.pathFilter());
      },
    }),
  );
  const passkeys = useQuery(api.access.users.countPasskeys.queryOptions({ id: user.id })).data ?? 0;
  const isInvited = user.lastSignInAt === null && user.status === 'Activated';
  const items: ButtonDropdownProps.Item[] = [
    ...userActs
      .filter((act) => userActRules[act].from.includes(user.status))
      .map((act) => ({ id: act, text: t(`access.act.${act}`) })),
    ...(passkeys > 0 ? [{ id: 'removePasskeys', text: t('access.passkeys.act') }] : []),
    ...(isInvited && keepsPeople === true
      ? [{ id: 'inviteAgain', text: t('access.act.inviteAgain') }]
      : []),
  ];
  return (
    <ButtonDropdown
      expandToViewport
      items={items}
      disabled={reason !== undefined}
      {...(reason === undefined ? {} : { disabledReason: reason })}
      onItemClick={({ detail: { id } }) => {
        if (id === 'inviteAgain') inviteAgain.mutate({ id: user.id });
        else onAct(id as Act);
      }}
    >
      {t('access.user.manage')}
    </ButtonDropdown>
  );
}
