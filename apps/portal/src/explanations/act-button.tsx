import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import type { ReasonAct, ReasonLack } from '@deviceportal/contract/explanations';
import { roleName } from '../access/role-words.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { WaitForDevice } from '../notifications/wait-for-device.tsx';
import { useFlash } from '../shell/flash-store.ts';
import { followInside } from '../shell/follow-inside.ts';
import { actHref } from './act-href.ts';
import { usePerformAct } from './use-perform-act.tsx';

/** The act that unblocks: done at once, on its page, or asked of those who may. */
export function ActButton({ act }: { readonly act: ReasonAct }): ReactNode {
  const t = useT();
  const { perform, busy, dialog } = usePerformAct();
  const { device = '', command = '', version = '' } = act.on;
  const label = t(`explanations.act.${act.kind}`, { device, command, version });
  if (act.lacks !== null) return <AskButton label={label} lacks={act.lacks} />;
  if (act.kind === 'wait-for-device')
    return <WaitForDevice deviceId={String(act.on['deviceId'])} />;
  if (act.kind === 'request-access') {
    return <AskButton label={label} lacks={rightAlone(String(act.on['permission']))} />;
  }
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
  // Its place is this page: a link to where one is would do nothing.
  if (href === `${location.pathname}${location.search}` || href === location.pathname) return null;
  return (
    <Button href={href} onFollow={followInside}>
      {label}
    </Button>
  );
}

const rightAlone = (permission: string): ReasonLack => ({
  kind: 'right',
  permission,
  roles: [],
  who: null,
});

/** What is not one's own to do is asked for in words that can be sent to whoever may. */
function AskButton({
  label,
  lacks,
}: {
  readonly label: string;
  readonly lacks: ReasonLack;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const flash = useFlash();
  const { kind, permission, who } = lacks;
  const roles = format.list(lacks.roles.map((one) => roleName(one, t))) || 'none';
  const copy = (): void => {
    const text = t(`explanations.askText.${kind}`, { permission, act: label, url: location.href });
    navigator.clipboard.writeText(text).then(
      () => flash.add({ type: 'success', content: t('shell.copy.done') }),
      () => flash.add({ type: 'error', content: t('shell.copy.failed') }),
    );
  };
  return (
    <>
      <Button iconName="copy" onClick={copy}>
        {t('explanations.ask', { act: label })}
      </Button>
      <Box variant="small" color="text-body-secondary" display="block">
        {t(`explanations.whoMay.${kind}`, { permission, roles, who: who ?? 'none' })}
      </Box>
    </>
  );
}
