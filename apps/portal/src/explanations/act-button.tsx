import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { ReasonAct, ReasonLack } from '@deviceportal/contract/explanations';
import { roleName } from '../access/roles/role-words.ts';
import { permissionListWords } from '../access/roles/permission-words.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { WaitForDevice } from '../notifications/wait-for-device.tsx';
import { ASK_FOR_ROLE_HREF } from '../ui/access-request-href.ts';
import { copyText } from '../ui/copy-text.ts';
import { followWithRouter } from '../ui/follow-with-router.ts';
import { actHref } from './act-href.ts';
import { usePerformAct } from './use-perform-act.tsx';

export interface ActButtonProps {
  readonly act: ReasonAct;
  /** Runs the command of the action on this page, in place of its form. */
  readonly onRun?: (() => void) | undefined;
}

/**
 * The action that unblocks: performed immediately, opened on its page, or requested from users with
 * the permission.
 */
export function ActButton({ act, onRun }: ActButtonProps): ReactNode {
  const t = useT();
  const { perform, busy, dialog } = usePerformAct();
  const { device = '', command = '', version = '' } = act.on;
  const label = t(`explanations.act.${act.kind}`, { device, command, version });
  if (act.lacks !== null) return <AskButton label={label} lacks={act.lacks} />;
  if (act.kind === 'wait-for-device')
    return <WaitForDevice deviceId={String(act.on['deviceId'])} />;
  if (act.kind === 'request-access') return <AskForAccess label={label} on={act.on} />;
  if (onRun !== undefined) return <Button onClick={onRun}>{label}</Button>;
  const href = actHref(act);
  if (href === null) {
    return (
      <>
        <Button loading={busy} onClick={() => perform(act)}>
          {label}
        </Button>
        {dialog}
      </>
    );
  }
  // No link if the action is on this page.
  if (href === `${location.pathname}${location.search}` || href === location.pathname) return null;
  return (
    <Button href={href} onFollow={followWithRouter}>
      {label}
    </Button>
  );
}

/**
 * Requests access. The reason names the missing permission, and the request names what it is for.
 */
function AskForAccess({
  label,
  on,
}: {
  readonly label: string;
  readonly on: ReasonAct['on'];
}): ReactNode {
  const t = useT();
  const language = useLanguage();
  const of = (name: string): string => String(on[name] || 'none');
  const text = t('explanations.askText.access', {
    command: of('command'),
    device: of('device'),
    permission: permissionListWords(of('permission'), t, language),
    url: location.href,
  });
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <CopyButton label={label} text={text} />
      <AskForRole />
    </SpaceBetween>
  );
}

/** Copies a text that asks a user with the permission to act. */
function AskButton({
  label,
  lacks,
}: {
  readonly label: string;
  readonly lacks: ReasonLack;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const { kind, who } = lacks;
  const permission = permissionListWords(lacks.permission, t, language);
  const roles = format.list(lacks.roles.map((one) => roleName(one, t))) || 'none';
  const text = t(`explanations.askText.${kind}`, { permission, act: label, url: location.href });
  return (
    <SpaceBetween size="xxs">
      <SpaceBetween direction="horizontal" size="xs">
        <CopyButton label={t('explanations.ask', { act: label })} text={text} />
        {kind === 'person' ? null : <AskForRole />}
      </SpaceBetween>
      <Box variant="small" color="text-body-secondary" display="block">
        {t(`explanations.whoMay.${kind}`, { permission, roles, who: who ?? 'none' })}
      </Box>
    </SpaceBetween>
  );
}

function CopyButton({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  const t = useT();
  const copy = (): void => copyText(text, t);
  return (
    <Button iconName="copy" onClick={copy}>
      {label}
    </Button>
  );
}

function AskForRole(): ReactNode {
  const t = useT();
  return (
    <Button href={ASK_FOR_ROLE_HREF} onFollow={followWithRouter}>
      {t('app.top.elevate')}
    </Button>
  );
}
